"""The hosted entry: app.py as an ASGI application, for `streamlit run server.py`, `uvicorn server:app` and `ranklens app`."""

from pathlib import Path

import streamlit as st

# Streamlit finds the application by reading this file, so it is made here, by name.
app = st.App(Path(__file__).parent / "app.py")
