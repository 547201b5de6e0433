"""Metadata: one row for each id, numbers where all are numbers, quotes only where CSV has them."""

from pathlib import Path

import polars as pl

from core.model.reading import Choice
from core.readers import Given, read_documents, read_queries


def test_a_header_names_the_columns() -> None:
    found = read_queries(b'query_id,query,source,turn\na1,red tea,web,1\na2,"cup, large",,2\n')
    assert found.table.schema == {"query_id": pl.String, "text": pl.String, "source": pl.String, "turn": pl.Float64}
    assert found.table.rows() == [("a1", "red tea", "web", 1.0), ("a2", "cup, large", None, 2.0)]
    assert (found.rows, found.notices) == (2, ())


def test_without_a_header_the_text_is_found_and_the_others_are_numbered() -> None:
    data = b"12\twhat is tea\tdescription\tlong answer\n11\tcost of rope\tquantity\t\n"
    assert read_queries(data).table.columns == ["query_id", "text", "column_3", "column_4"]


def test_columns_can_be_named() -> None:
    data = b"12\twhat is tea\tdescription\n11\tcost of rope\tquantity\n"
    found = read_queries(data, choices=[Choice(columns=("qid", "query", "intent"))])
    assert found.table.rows() == [("11", "cost of rope", "quantity"), ("12", "what is tea", "description")]
    assert found.table.columns == ["query_id", "text", "intent"]


def test_tsv_has_no_quoting() -> None:
    found = read_queries(b'a1\t"red" tea, 5" cup\na2\tblue \'hat\na3\t"open quote\n').table
    assert found["text"].to_list() == ['"red" tea, 5" cup', "blue 'hat", '"open quote']


def test_csv_cells_may_span_lines() -> None:
    assert read_queries(b'query_id,text\na1,"two\nlines"\na2,one\n').table["text"].to_list() == ["two\nlines", "one"]


def test_numbers_are_numbers_only_where_all_are() -> None:
    table = read_queries(b"query_id,n,zip,mixed\na,1,007,1\nb, 2.5,12,x\nc,,3,2\n").table
    assert table.select("n", "zip", "mixed").rows() == [(1.0, "007", "1"), (2.5, "12", "x"), (None, "3", "2")]


def test_the_first_row_of_a_query_counts() -> None:
    found = read_queries(b"query_id,source\na1,web\na1,app\na2,web\n")
    assert found.table.rows() == [("a1", "web"), ("a2", "web")]
    notice = found.notices[0]
    assert (notice.code, notice.count, notice.examples) == ("metadata-repeated", 1, ("a1",))
    assert notice.message == "1 query has more than one row of metadata; the first is used."


def test_several_files_add_up() -> None:
    texts = Given("texts", data=b"a1\tred tea\na2\tblue hat\n")
    sources = Given("sources", data=b"query_id,source\na2,web\na3,app\n")
    found = read_queries([texts, sources])
    assert found.table.rows() == [("a1", "red tea", None), ("a2", "blue hat", "web"), ("a3", None, "app")]
    assert [source.name for source in found.sources] == ["texts", "sources"]


def test_values_that_look_like_lists_stay_and_are_told() -> None:
    found = read_queries(b"query_id,source\na1,web|app\na2,app\n")
    assert found.table["source"].to_list() == ["web|app", "app"]
    assert [(n.code, n.count, n.examples) for n in found.notices] == [("list-values", 1, ("web|app",))]


def test_beir_queries_bring_nested_attributes() -> None:
    found = read_queries(
        b'{"_id":"a1","text":"red tea","metadata":{"source":"web"}}\n{"_id":"a2","text":"hat","metadata":{}}\n'
    )
    assert found.table.rows() == [("a1", "red tea", "web"), ("a2", "hat", None)]


def test_documents_have_titles_texts_and_further_columns() -> None:
    found = read_documents(b"doc_id,title,text,source,year\nd2,Hat,blue,web,2020\nd1,Tea,red,app,\n")
    assert found.table.rows() == [("d1", "Tea", "red", "app", None), ("d2", "Hat", "blue", "web", "2020")]


def test_documents_without_a_header() -> None:
    found = read_documents(b"d1\tTea for two\tA long text about tea\nd2\tHats of the world\tA long text about hats\n")
    assert found.table.columns == ["doc_id", "title", "text"]


def test_query_metadata_of_six_columns_without_a_header(shared: Path) -> None:
    found = read_queries(shared / "data" / "dlhard_passage" / "query_metadata.tsv")
    assert found.table.columns == ["query_id", "text", "column_3", "column_4", "column_5", "column_6"]
    assert (found.rows, found.table.height) == (400, 400)
