# The hosted dashboard: one process, not root, which writes to /store and /tmp only. HOSTING.md says how to run it.
FROM python:3.11-slim-bookworm

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore

# What it depends on, every file by its hash; this layer stays as it is for as long as they do.
COPY requirements.txt /build/
RUN pip install --require-hashes -r /build/requirements.txt

COPY pyproject.toml README.md LICENSE app.py server.py /build/
COPY .streamlit /build/.streamlit
COPY core /build/core
COPY pages /build/pages
COPY ranklens /build/ranklens
COPY sample_data /build/sample_data
RUN pip install --no-deps /build \
    && rm -r /build \
    && useradd --uid 1000 --no-create-home --shell /usr/sbin/nologin ranklens \
    && install --directory --owner=ranklens --group=ranklens /store

# A host's limits, and saved comparisons in the volume. It listens on every address of its container, and looks up none.
ENV HOME=/tmp RANKLENS_HOSTED=1 RANKLENS_STORE=/store \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 STREAMLIT_SERVER_PORT=8501 STREAMLIT_BROWSER_SERVER_ADDRESS=localhost
USER ranklens
WORKDIR /usr/local/lib/python3.11/site-packages
VOLUME /store
EXPOSE 8501
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"STREAMLIT_SERVER_PORT\"]}/health', timeout=4)"]
CMD ["streamlit", "run", "server.py"]
