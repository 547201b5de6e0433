"""What the Share page offers to keep and to work with: the bundle, tables, TREC files."""

from functools import partial

import streamlit as st

from core.cli.score import shown
from core.exports.archive import zipped
from core.exports.bundle import write_bundle
from core.exports.scope import Scope
from core.exports.table import to_csv, to_parquet
from core.exports.tables import MAKERS, per_query
from core.exports.text import file_name
from core.exports.trec import per_query_file, qrels_file, run_file
from core.model.measure import DEFAULT_MEASURES
from pages.shared import export_menu, saved_view
from pages.shared.export_menu import Taken, download
from pages.shared.share_show import name_of, offer
from pages.shared.text import quiet

MEASURES = DEFAULT_MEASURES
TABLES = {
    "leaderboard": "Leaderboard",
    "slices": "Slices",
    "worst": "Worst queries",
    "notices": "Data health",
    "inputs": "Input files",
}


def bundle(scope: Scope) -> None:
    """The whole comparison in one file."""
    sentence = (
        "Judgments, runs, metadata and this view in one file. Drop it on the Data page, or give it to `ranklens open`: the same screen, the same "
        "numbers to the last digit."
    )
    with offer("Bundle", sentence):
        view = saved_view.now()
        download(
            "Bundle",
            lambda: write_bundle(scope.comparison, view),
            name_of(scope),
            "ranklens",
            icon=":material/inventory_2:",
        )
        quiet(
            "It holds the first 100 documents of each query, and every document that is judged. Texts from your files are in it."
        )


def tables(scope: Scope) -> None:
    """Every table, and every query's values."""
    with offer(
        "Tables and scores",
        "As CSV, Parquet, Markdown or a picture, with full numbers; the scores of every query for your own analysis.",
    ):
        picked = st.selectbox(
            "Table", list(TABLES), format_func=TABLES.__getitem__, key="table", persist_state="session"
        )
        with st.container(horizontal=True, gap="small"):
            if picked and st.button("Open its menu", icon=":material/table:", key="open_table"):
                table = MAKERS[picked](scope)
                line = table.line
                export_menu.opened(Taken(table.key, table.title, table.name, lambda: line, table.frame))
        st.markdown("Every query's values, by every run and measure:")
        with st.container(horizontal=True, gap="small"):
            name = f"{name_of(scope)}-per-query"
            download("CSV", lambda: to_csv(per_query(scope)).encode(), name, "csv")
            download("Parquet", lambda: to_parquet(per_query(scope)), name, "parquet")
            measures = tuple(dict.fromkeys((scope.measure, *MEASURES)))
            download(
                "JSON",
                lambda: shown(scope.comparison, measures, "json", per_query=True).encode(),
                name,
                "json",
                help_text="What `ranklens score --per-query --format json` prints",
            )


def trec(scope: Scope) -> None:
    """Judgments, runs and values as TREC's tools read them."""
    comparison = scope.comparison
    with offer(
        "TREC files",
        "For trec_eval and everything that reads its files: the judgments, a run's first 100 documents a query, and every query's values.",
    ):
        name = st.selectbox("Run", scope.runs, key="trec_run", persist_state="session") or scope.baseline
        stem = file_name(name)
        with st.container(horizontal=True, gap="small"):
            download("qrels", lambda: qrels_file(comparison).encode(), "qrels", "txt")
            download("Run", lambda: run_file(comparison, name).encode(), f"{stem}-run", "txt")
            download(
                "Values",
                lambda: per_query_file(comparison, name, MEASURES).encode(),
                f"{stem}-values",
                "txt",
                help_text="measure, query, value: as `trec_eval -q` prints them",
            )
            download("All runs", partial(_all, scope), f"{name_of(scope)}-trec", "zip", icon=":material/folder_zip:")


def _all(scope: Scope) -> bytes:
    files = {"qrels.txt": qrels_file(scope.comparison).encode()}
    for at, run in enumerate(scope.runs, 1):
        stem = f"{at:02}-{file_name(run)}"
        files[f"{stem}.run.txt"] = run_file(scope.comparison, run).encode()
        files[f"{stem}.values.txt"] = per_query_file(scope.comparison, run, MEASURES).encode()
    return zipped(files)
