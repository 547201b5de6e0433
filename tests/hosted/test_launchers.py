"""Launchers: `uvicorn server:app` and `streamlit run server.py` start the same server, from wherever they are started."""

import re

from tests.hosted.asking import ask, handshake
from tests.hosted.conftest import host
from tests.hosted.serving import Served


def told(served: Served) -> dict[str, object]:
    """What a server says and shows of itself, apart from what differs from one start to the next."""
    (line,) = served.events("started")
    page = ask(served, "/ranklens/overview", {"Accept": "text/html"})
    policy = page.headers["content-security-policy"].replace(str(served.port), "PORT")
    # Streamlit reads its own variables only where its own command line starts it.
    assert line["upload_megabytes"] == 123
    return {key: value for key, value in line.items() if key != "time"} | {
        "page": page.text,
        "headers": sorted(page.headers.keys() - {"vary"}),
        "policy": policy,
        "refused": [
            ask(served, "/ranklens/", {"Host": "foreign.example"}).status,
            handshake(served, {"Origin": "null"}).status,
        ],
        "closed": ask(served, "/ranklens/_stcore/metrics").status,
        "ready": ask(served, "/ranklens/ready").text,
        "component": ask(served, "/ranklens/_stcore/bidi-components/ranklens.copy_picture/copy_picture.js").status,
        "unsafe": [each["said"] for each in served.events("unsafe")],
    }


def test_both_launchers_start_the_same_server_from_another_folder(below: Served) -> None:
    with host(streamlit=True) as other:
        assert told(other) == told(below)
        assert re.search(r"https?://\S+\?", other.log()) is None
