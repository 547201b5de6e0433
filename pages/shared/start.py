"""The start: what Ranklens does, the sample one click away, one place to drop all files, and examples to copy."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from core.errors import InputError
from core.exports.bundle import view_of
from pages.hosted import sessions
from pages.hosted.uploads import taken
from pages.shared import files, identity, loading, saved_view, view
from pages.shared.files import Brought
from pages.shared.limits import amount, budget, hosted
from pages.shared.navigation import OVERVIEW, SHARE
from pages.shared.samples import FAULTS, SAMPLE, SEED
from pages.shared.text import plain, quiet

PICTURE = Path(__file__).parent / "assets" / "how.svg"
PICTURED = "Judgments and runs go in; which run is better than the baseline, not clearly different or worse comes out."
EXAMPLES: dict[str, tuple[str, str]] = {
    "Judgments": (
        """Query, iteration (unused), document, grade: TREC's qrels. Also CSV or TSV with a header, BEIR, JSON, Parquet, and what
        Quepid, OpenSearch and Elasticsearch export.""",
        "q1 0 doc-17 3\nq1 0 doc-04 0\nq2 0 doc-81 1\n",
    ),
    "Run": (
        """Query, Q0, document, rank, score, name: a TREC run. Also query, document and score or rank as CSV, TSV, JSON or Parquet.
        One file for each system, or one with a column `system`.""",
        "q1 Q0 doc-17 1 14.2 bm25\nq1 Q0 doc-99 2 11.7 bm25\nq2 Q0 doc-81 1 9.3 bm25\n",
    ),
    "Query metadata": (
        """The query's id, its text, and anything to slice by. CSV, TSV, JSON lines or Parquet; rows of other queries do no harm.""",
        "query_id,text,intent,source\nq1,reset my password,how-to,docs\nq2,invoice 4711,lookup,billing\n",
    ),
    "Document metadata": (
        """The document's id, with title, text and source where you have them: shown when you look at a query.""",
        "doc_id,title,source\ndoc-17,Resetting a password,docs\ndoc-81,Invoice 4711,billing\n",
    ),
}
NOT_TAKEN = "_not_taken"
PROMISE = (
    "Your files stay on this server, for twelve hours at most, under an address that nobody can guess. What you save under a link stays "
    "until it expires. Nothing is sent anywhere else."
)


def draw() -> None:
    """The page before there is a file."""
    if identity.only_shows():
        _viewer()
        return
    st.title("Decide which ranking ships", anchor=False)
    st.markdown(
        ":gray[Bring relevance judgments and the results of several systems. See which one is better, by how much, how sure, "
        "and where it hurts.]"
    )
    st.image(str(PICTURE), width="stretch", alt=PICTURED)
    left, right = st.columns(2, gap="small")
    with left, st.container(border=True, height="stretch"):
        _samples()
    with right, st.container(border=True, height="stretch"):
        st.header("Drop your files", anchor=False)
        uploader("Judgments, runs, query and document metadata, all at once")
        quiet(PROMISE)
        st.page_link(SHARE, label="My saved comparisons", icon=":material/link:")
    st.header("What is read", anchor=False)
    st.markdown(
        ":gray[Files are recognised by what is in them, never by their name. `.gz`, `.zst` and `.zip` are unpacked. "
        "Copy one of these to start.]"
    )
    for tab, (sentence, example) in zip(st.tabs(list(EXAMPLES)), EXAMPLES.values(), strict=True):
        with tab:
            st.markdown(sentence)
            st.code(example, language=None)


def _viewer() -> None:
    """The start of a server that only shows: what it is, and how something comes to it."""
    st.title("A comparison opens here by its link", anchor=False)
    st.markdown(
        ":gray[This server shows saved comparisons to whoever has their link. It takes no files, and it lists nothing: "
        "open the link that you were given.]"
    )
    with st.container(border=True):
        _samples()
    quiet("Whoever runs this server saves comparisons into its store with `ranklens save`, which prints the link.")


def _samples() -> None:
    """The sample comparison in one click, and two smaller sets that teach."""
    st.header("See it at work", anchor=False)
    st.markdown(
        "A company's search over docs, tickets, CRM, billing and wiki: 176 judged queries and five real retrievers, from BM25 to "
        "a reranked hybrid. One of them wins on average and loses where it matters."
    )
    if st.button("Open the sample comparison", icon=":material/play_arrow:", width="stretch"):
        _open(SAMPLE)
    with st.container(horizontal=True, gap="small"):
        if st.button("Files with planted faults", type="tertiary", icon=":material/bug_report:"):
            files.open_set(FAULTS)
            st.rerun()
        if st.button("nDCG by hand: one query", type="tertiary", icon=":material/calculate:"):
            _open(SEED)


def _open(name: str) -> None:
    files.open_set(name)
    st.switch_page(OVERVIEW, query_params={})


def uploader(label: str) -> None:
    """The one drop area; what is dropped is kept at once, and the area is empty again. None where this visitor brings no files."""
    if not identity.may_upload():
        return
    generation = st.session_state.setdefault("_generation", 0)
    st.markdown(label)
    # Streamlit gives its area a name and says that it is only for show, which contradict each other: the name stands above it as text.
    uploads = st.file_uploader(" ", accept_multiple_files=True, key=f"_drop_{generation}", label_visibility="collapsed")
    together = f", or more than {amount(budget().session.held)} together" if hosted() else ""
    quiet(
        f"Larger than {st.get_option('server.maxUploadSize'):,} MB{together}? Compress it (`.gz`, `.zst`), cut runs to the top 100 of each query, "
        "or use the command line."
    )
    if not uploads:
        for sentence in [*sessions.told(), *st.session_state.pop(NOT_TAKEN, ())]:
            st.warning(sentence, icon=":material/upload_file:")
    else:
        try:
            _take([files.shelf().keep(upload.name, upload.getvalue()) for upload in uploads])
        except InputError as error:
            st.session_state[NOT_TAKEN] = [plain(f"{problem}: {problem.hint}") for problem in error.problems]
        taken(uploads)
        st.session_state["_generation"] = generation + 1
        st.rerun()


def _take(dropped: Sequence[Brought]) -> None:
    """Make what was dropped the session's. Raises InputError where there is no room for it."""
    bundle = next((file for file in dropped if loading.packed(file)), None)
    if bundle is None:
        brought = [member for file in dropped for member in loading.members(file)]
        files.bring(brought, instead_of=_refused_namesakes(brought))
        return
    # A bundle is a whole comparison: it takes the place of what was there, and its screen is opened with it.
    files.look_at([bundle])
    outcome = loading.unpacked(bundle)
    if outcome.value is not None:
        told = outcome.value.told.get("conventions")
        saved_view.open_later(saved_view.with_conventions(view_of(outcome.value), told))


def _refused_namesakes(brought: Sequence[Brought]) -> set[str]:
    """The keys of files that cannot be read as they are and have the name of one that is brought now: that one is repaired."""
    here = files.current()
    names = {file.name for file in brought}
    if not any(file.name in names for file in here):
        return set()
    state = loading.load(here, view.conventions())
    return {file.key for file in here if file.key in state.errors and file.name in names}
