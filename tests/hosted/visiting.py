"""A page's WebSocket without a browser: what Streamlit's page sends, and every frame that comes back."""

from collections.abc import Iterator
from contextlib import contextmanager

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect

from tests.hosted.serving import Served

PATIENCE = 60


class Visit:
    """One visitor's connection: runs a page and keeps what the server sent."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.session = ""
        self.frames: list[bytes] = []

    def run(self, *states: WidgetState, page: str = "", query: str = "") -> list[ForwardMsg]:
        """Run the script, with the states of its widgets and what the address bar says; the messages until it has finished.

        Runs that it asks for itself, to lead to another page, are part of it.
        """
        asked = BackMsg()
        asked.rerun_script.page_name = page
        asked.rerun_script.query_string = query
        asked.rerun_script.widget_states.widgets.extend(states)
        return self.send(asked, "script_finished")

    def send(self, asked: BackMsg, last: str) -> list[ForwardMsg]:
        """Send a message; those that come back, until one of the kind that is the last."""
        self._socket.send(asked.SerializeToString())
        messages: list[ForwardMsg] = []
        while not (messages and _ended(messages[-1], last)):
            frame = self._socket.recv(timeout=PATIENCE)
            assert isinstance(frame, bytes)
            self.frames.append(frame)
            message = ForwardMsg()
            message.ParseFromString(frame)
            messages.append(message)
            if message.WhichOneof("type") == "new_session":
                self.session = message.new_session.initialize.session_id
        return messages


def _ended(message: ForwardMsg, last: str) -> bool:
    early = message.HasField("script_finished") and message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
    return message.WhichOneof("type") == last and not early


@contextmanager
def visiting(served: Served) -> Iterator[Visit]:
    """Connect as a new visitor."""
    address = f"ws://127.0.0.1:{served.port}{served.base}/_stcore/stream"
    with connect(address, subprotocols=["streamlit"], max_size=None, proxy=None) as socket:  # type: ignore[list-item]  # a type of text
        yield Visit(socket)


def look(served: Served, page: str, query: str = "") -> str:
    """Everything that a page says to a new visitor, as one text."""
    with visiting(served) as visit:
        return "\n".join(
            str(message.delta) for message in visit.run(page=page, query=query) if message.HasField("delta")
        )


def texts(messages: list[ForwardMsg]) -> str:
    """What the messages of a run put on the page."""
    return "\n".join(str(message.delta) for message in messages if message.WhichOneof("type") == "delta")
