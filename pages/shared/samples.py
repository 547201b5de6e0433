"""The sample sets that come with Ranklens: always there, under names of their own, so that a link to one works anywhere."""

import hashlib
from pathlib import Path

import streamlit as st

import sample_data
from pages.shared.shelf import Brought, Files

FOLDER = Path(sample_data.__file__).parent
SAMPLE, FAULTS, SEED = "sample", "faults", "seed"
# The first run of each is its baseline.
SETS: dict[str, tuple[str, tuple[str, ...]]] = {
    SAMPLE: (
        "support_search",
        (
            "qrels.txt", "bm25.run", "char-tfidf.run", "embeddings.run", "hybrid-rrf.run", "hybrid-rerank.run", "queries.csv",
            "documents.csv",
        ),
    ),
    FAULTS: ("planted_faults", ("qrels.csv", "catalogue.run", "meaning.csv", "rules.csv", "queries.csv")),
    SEED: ("seed_example", ("qrels.txt", "system.run")),
}  # fmt: skip


def sample_files(name: str) -> Files | None:
    """The files of a sample set, or None where there is no such set."""
    return _read(name) if name in SETS else None


@st.cache_resource(show_spinner=False)
def _read(name: str) -> Files:
    folder, names = SETS[name]
    return tuple(_brought(FOLDER / folder / each) for each in names)


def _brought(path: Path) -> Brought:
    data = path.read_bytes()
    return Brought(path.name, hashlib.sha256(data).hexdigest(), len(data), path, ours=True)
