"""Started: what a server says of itself when it starts, and what it warns of."""

import os

from streamlit import config

from core.store import where
from pages.hosted import logs, settings
from pages.hosted.settings import LOOPBACK, Settings
from pages.shared import identity


def announce() -> None:
    """One line about how this server was told to run, and one for each thing that does not go together."""
    logs.adopt()
    now, mode = settings.read(), identity.mode()
    store = where()
    logs.event(
        "started",
        access=mode,
        store=store.partition("://")[0] if "://" in store else "folder",
        hosts=now.hosts,
        base=now.base or "/",
        https=now.https,
        proxies=now.proxies,
        upload_megabytes=config.get_option("server.maxUploadSize"),
        hosted=os.environ.get("RANKLENS_HOSTED") == "1",
    )
    for warning in warnings(now, mode):
        logs.event("unsafe", "warning", said=warning)


def warnings(now: Settings, mode: str) -> list[str]:
    """What does not go together, in sentences."""
    bound = str(config.get_option("server.address") or "")
    outside = bound not in LOOPBACK
    public = outside or any(host not in LOOPBACK for host in now.hosts)
    told = {
        "RANKLENS_ACCESS=own is for one person's machine: whoever reaches this server sees and deletes everything in its store.":
            public and mode == "own",
        "RANKLENS_HOSTED is not 1: this server reads files as large as a person's own machine would.":
            public and os.environ.get("RANKLENS_HOSTED") != "1",
        "People do not reach this server by https: what they bring and every link can be read on the way.":
            public and not now.https,
        "RANKLENS_IDENTITY_HEADER is believed, and this server listens beyond this machine: whoever reaches it directly is whoever they say.":
            outside and bool(os.environ.get(identity.HEADER)),
        "RANKLENS_HOSTS=* answers to every name: pages elsewhere can reach this server through a name of their own.":
            "*" in now.hosts,
        "RANKLENS_FRAMES=* lets every page elsewhere show this one inside it.":
            "*" in now.frames,
        "server.enableCORS or server.enableXsrfProtection is off: pages elsewhere can speak in the name of whoever looks at them.":
            not (config.get_option("server.enableCORS") and config.get_option("server.enableXsrfProtection")),
    }  # fmt: skip
    return [sentence for sentence, holds in told.items() if holds]
