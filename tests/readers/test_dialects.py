"""Dialects: what people bring, as bytes → how it is read and its rows, or the exact message."""

# ruff: noqa: E501 (the tables have one dialect on a line)

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.model.limits import LOCAL
from core.model.reading import Choice, Reading, Role
from core.readers import Given, recognise
from core.readers.formats import rows
from core.readers.rows import Findings

Q, D, R, S, K = "query_id", "doc_id", "relevance", "score", "rank"


def read(data: bytes, role: Role | None = None) -> tuple[Reading, list[dict[str, Any]], Findings]:
    """Recognise bytes and read their rows, without line numbers."""
    given, findings = Given("file", data=data), Findings("file")
    reading = recognise(given, role=role)
    found = [
        row for batch in rows(given, reading, Choice(), LOCAL, findings) for row in batch.frame.iter_rows(named=True)
    ]
    return reading, [{name: value for name, value in row.items() if name != "line"} for row in found], findings


# name, bytes, role asked for, role, shape, roles to ask about, columns of a row, rows
TABLE: list[tuple[str, str | bytes, Role | None, Role, str, tuple[str, ...], tuple[str, ...], list[tuple[Any, ...]]]] = [
    ("TREC qrels, blanks", "31 0 DOC-1 0\n31 0 DOC-2 1\n", None, "qrels", "TREC qrels", ("qrels",), (Q, D, R), [("31", "DOC-1", "0"), ("31", "DOC-2", "1")]),
    ("TREC qrels, tabs and CRLF", "P-1\tQ0\tM-1\t2\r\nP-2\tQ0\tM-7\t1\r\n", None, "qrels", "TREC qrels", ("qrels",), (Q, D, R), [("P-1", "M-1", "2"), ("P-2", "M-7", "1")]),
    ("TREC qrels, rounds and double blanks", "1 1.5  ab12c 0\n1 2  12e4 2\n", None, "qrels", "TREC qrels", ("qrels",), (Q, "iteration", D, R), [("1", "1.5", "ab12c", "0"), ("1", "2", "12e4", "2")]),
    ("Q0 and 0 in one file, numbers as documents", "915 Q0 701 0\n915 0 704 1\n916 0 12 3\n", None, "qrels", "TREC qrels", ("qrels",), (Q, D, R), [("915", "701", "0"), ("915", "704", "1"), ("916", "12", "3")]),
    ("prels", "1 D-1 0 0 1\n1 D-2 1 1 0.37\n2 D-7 2 1 1\n", None, "qrels", "prels (sampled judgments)", ("qrels",), (Q, D, R), [("1", "D-1", "0"), ("1", "D-2", "1"), ("2", "D-7", "2")]),
    ("comment with the file's column count", "# made by hand\nq1 0 dA 2\nq1 0 dB 0\n", None, "qrels", "TREC qrels", ("qrels",), (Q, D, R), [("q1", "dA", "2"), ("q1", "dB", "0")]),
    ("query id that begins with #", "#7 0 d1 1\na2 0 d3 1\n", None, "qrels", "TREC qrels", ("qrels",), (Q, D, R), [("#7", "d1", "1"), ("a2", "d3", "1")]),
    ("# and % and <> in ids", "7\tQ0\tPAPER#16#2\t1\nen:A/In%20b\tQ0\t<dbp:Tea>\t0\n", None, "qrels", "TREC qrels", ("qrels",), (Q, D, R), [("7", "PAPER#16#2", "1"), ("en:A/In%20b", "<dbp:Tea>", "0")]),
    ("tabs and blanks in one file", "a1\t0\td1\t2\na1 0 d2 1\na2\t0 d3\t1\n", None, "qrels", "TREC qrels", ("qrels",), (Q, D, R), [("a1", "d1", "2"), ("a1", "d2", "1"), ("a2", "d3", "1")]),
    ("TREC with commas", "a1,0,d1,2\na1,0,d2,1\n", None, "qrels", "TREC qrels", ("qrels",), (Q, D, R), [("a1", "d1", "2"), ("a1", "d2", "1")]),
    ("CR alone", "a1 0 d1 2\ra1 0 d2 1\r", None, "qrels", "TREC qrels", ("qrels",), (Q, D, R), [("a1", "d1", "2"), ("a1", "d2", "1")]),
    ("BEIR qrels", "query-id\tcorpus-id\tscore\nq1\tdA\t1\nq1\tdB\t2\n", None, "qrels", "BEIR qrels (TSV)", ("qrels",), (Q, D, R), [("q1", "dA", "1"), ("q1", "dB", "2")]),
    ("BEIR header over a run's scores", "query-id\tcorpus-id\tscore\nq1\tdA\t12.31\nq1\tdB\t11.2\n", None, "run", "run (TSV)", ("run",), (Q, D, S), [("q1", "dA", 12.31), ("q1", "dB", 11.2)]),
    ("BEIR header given as a run", "query-id\tcorpus-id\tscore\nq1\tdA\t1\nq1\tdB\t2\n", "run", "run", "run (TSV)", ("run",), (Q, D, S), [("q1", "dA", 1.0), ("q1", "dB", 2.0)]),
    ("MS MARCO reference, two columns", "12\t340\n12\t341\n15\t77\n", None, "qrels", "relevant documents (query, document)", ("qrels",), (Q, D), [("12", "340"), ("12", "341"), ("15", "77")]),
    ("two columns given as a run", "q1\td2\nq1\td1\nq2\td1\n", "run", "run", "ranked documents (query, document)", ("run",), (Q, D, K), [("q1", "d2", 1.0), ("q1", "d1", 2.0), ("q2", "d1", 1.0)]),
    ("MS MARCO run", "12\t340\t1\n12\t98\t2\n15\t7\t1\n", None, "run", "MS MARCO run (ranks)", ("run", "qrels"), (Q, D, K), [("12", "340", 1.0), ("12", "98", 2.0), ("15", "7", 1.0)]),
    ("ranks from 0", "12\t340\t0\n12\t98\t1\n", "run", "run", "MS MARCO run (ranks)", ("run",), (Q, D, K), [("12", "340", 0.0), ("12", "98", 1.0)]),
    ("the same look given as judgments", "1,404,3\n1,377,2\n2,512,2\n", "qrels", "qrels", "judgments (query, document, grade)", ("qrels",), (Q, D, R), [("1", "404", "3"), ("1", "377", "2"), ("2", "512", "2")]),
    ("the grade in the middle", "a1\t2\td1\na1\t1\td2\na2\t1\td3\n", "qrels", "qrels", "judgments (query, document, grade)", ("qrels",), (Q, R, D), [("a1", "2", "d1"), ("a1", "1", "d2"), ("a2", "1", "d3")]),
    ("three columns with scores", "a1\td2\t0.91\na1\td1\t0.87\n", "run", "run", "run (query, document, score)", ("run",), (Q, D, S), [("a1", "d2", 0.91), ("a1", "d1", 0.87)]),
    ("TREC run", "q1 Q0 d3 1 0.3 sysA\nq2 Q0 d1 1 0.9 sysA\n", None, "run", "TREC run", ("run",), (Q, D, K, S, "system"), [("q1", "d3", 1.0, 0.3, "sysA"), ("q2", "d1", 1.0, 0.9, "sysA")]),
    ("TREC run, text after the tag", "1 Q0 d1 1 4 tag more junk\n1 Q0 d2 2 3 tag more junk\n", None, "run", "TREC run", ("run",), (Q, D, S, "system"), [("1", "d1", 4.0, "tag"), ("1", "d2", 3.0, "tag")]),
    ("TREC run with a header", "qid iter docno rank sim run_id\na1 Q0 d2 1 9.5 m\n", None, "run", "run (blanks)", ("run",), (Q, D, K, S, "system"), [("a1", "d2", 1.0, 9.5, "m")]),
    ("TREC run without a tag", "q1 Q0 d1 1 3.5\nq1 Q0 d2 2 3.1\n", None, "run", "run (query, Q0, document, rank, score)", ("run",), (Q, D, K, S), [("q1", "d1", 1.0, 3.5), ("q1", "d2", 2.0, 3.1)]),
    ("run without Q0", "q1 d1 1 3.5 s\nq1 d2 2 3.1 s\n", None, "run", "run (query, document, rank, score, system)", ("run",), (Q, D, K, S, "system"), [("q1", "d1", 1.0, 3.5, "s"), ("q1", "d2", 2.0, 3.1, "s")]),
    ("title case, blanks in names, Position", "Query ID,Doc ID,Doc Position\na1,d2,1\na1,d1,2\n", None, "run", "run (ranks) (CSV)", ("run",), (Q, D, K), [("a1", "d2", 1.0), ("a1", "d1", 2.0)]),
    ("Quepid query set", "Query Text,Doc ID,Doc Position, Title\ntea?,527,1, Tea A\n", None, "run", "run (ranks) (CSV)", ("run",), (Q, D, K), [("tea?", "527", 1.0)]),
    ("PyTerrier results", "qid,docid,docno,rank,score,query\n1,0,EN-6,0,7.5,tea\n", None, "run", "run (CSV)", ("run",), (Q, D, K, S), [("1", "EN-6", 0.0, 7.5)]),
    ("columns in another order", "doc_id,query_id,grade\nd1,a1,2\n", None, "qrels", "judgments (CSV)", ("qrels",), (D, Q, R), [("d1", "a1", "2")]),
    ("an index without a name, as pandas writes it", ",query_id,doc_id,score\n0,q1,d1,3.5\n1,q1,d2,3.2\n", None, "run", "run (CSV)", ("run",), (Q, D, S), [("q1", "d1", 3.5), ("q1", "d2", 3.2)]),
    ("distances", "query_id,doc_id,distance\nq1,d1,0.2\n", None, "run", "run (CSV)", ("run",), (Q, D, "distance"), [("q1", "d1", 0.2)]),
    ("unrated queries in short rows", "query,docid,rating\nred shoes,11,3.0\ngreen sock\nwool cap,,\n", None, "qrels", "judgments (CSV)", ("qrels",), (Q, D, R), [("red shoes", "11", "3.0"), ("green sock", None, None), ("wool cap", None, None)]),
    ("quoted ids with commas", 'query_id,doc_id,rel\na1,"Paris, Texas",2\n', None, "qrels", "judgments (CSV)", ("qrels",), (Q, D, R), [("a1", "Paris, Texas", "2")]),
    ("an odd quote in TSV", 'query-id\tcorpus-id\tscore\na1\t"d1\t2\na1\td2\t1\n', None, "qrels", "BEIR qrels (TSV)", ("qrels",), (Q, D, R), [("a1", '"d1', "2"), ("a1", "d2", "1")]),
    ("semicolons and decimal commas", "query_id;doc_id;rel\na1;d1;1,5\n", None, "qrels", "judgments (CSV with semicolons)", ("qrels",), (Q, D, R), [("a1", "d1", "1,5")]),
    ("a header in another language", "Anfrage;Dokument;Note\na1;d1;3\na2;d2;0\na2;d7;3\n", "qrels", "qrels", "judgments (query, document, grade)", ("qrels",), (Q, D, R), [("a1", "d1", "3"), ("a2", "d2", "0"), ("a2", "d7", "3")]),
    ("file names as ids, a source column", "qid\tdoc_id\tgrade\tsource\nk1\tacts/Приказ 7.pdf\t3\tllm\n", None, "qrels", "judgments (TSV)", ("qrels",), (Q, D, R, "source"), [("k1", "acts/Приказ 7.pdf", "3", "llm")]),
    ("product ids beside the query's text", "query_id,query,product_id,relevance\nq1,black phones,B1,3\n", None, "qrels", "judgments (CSV)", ("qrels",), (Q, "text", D, R), [("q1", "black phones", "B1", "3")]),
    ("several judges", "topic,doc,judge,grade\n1,d1,A,1\n1,d1,B,0\n", None, "qrels", "judgments (CSV)", ("qrels",), (Q, D, "assessor", R), [("1", "d1", "A", "1"), ("1", "d1", "B", "0")]),
    ("lists of relevant chunks", 'qid,question,pos_chunk_ids\nq1,"How, then?","c1|c4"\nq2,Who?,c9\n', None, "qrels", "judgments (CSV)", ("qrels",), (Q, "text", D, R), [("q1", "How, then?", "c1", "1"), ("q1", "How, then?", "c4", "1"), ("q2", "Who?", "c9", "1")]),
    ("lists as Python writes them", "query_id,retrieved_docs\nq1,\"['d2', 'd1']\"\n", None, "run", "run (CSV)", ("run",), (Q, D, K), [("q1", "d2", 1.0), ("q1", "d1", 2.0)]),
    ("web addresses as ids", "query,url,rating\ntea,https://a.example/1,2\n", None, "qrels", "judgments (CSV)", ("qrels",), (Q, D, R), [("tea", "https://a.example/1", "2")]),
    ("a system column", "system,query_id,doc_id,score\nA,a1,d1,2\nB,a1,d2,2\n", None, "run", "run (CSV)", ("run",), ("system", Q, D, S), [("A", "a1", "d1", 2.0), ("B", "a1", "d2", 2.0)]),
    ("words as TREC grades", "q1 0 d1 relevant\nq1 0 d2 irrelevant\nq2 0 d3 relevant\n", None, "qrels", "TREC qrels with words as grades", ("qrels",), (Q, D, R), [("q1", "d1", "relevant"), ("q1", "d2", "irrelevant"), ("q2", "d3", "relevant")]),
    ("byte order mark", b"\xef\xbb\xbfa1 0 d1 2\na1 0 d2 1\n", None, "qrels", "TREC qrels", ("qrels",), (Q, D, R), [("a1", "d1", "2"), ("a1", "d2", "1")]),
    ("UTF-16", "query_id\tdoc_id\trel\nq1\tdé\t1\n".encode("utf-16"), None, "qrels", "judgments (TSV)", ("qrels",), (Q, D, R), [("q1", "dé", "1")]),
    ("query sources", "query_id,source\n70,other\n71,behavioral\n", None, "queries", "query metadata (CSV)", ("queries",), (Q, "source"), [("70", "other"), ("71", "behavioral")]),
    ("queries, id and text", 'a1\t"red" tea, 5" cup\na2\tblue \'hat\n', None, "queries", "queries (id, text)", ("queries",), (Q, "text"), [("a1", '"red" tea, 5" cup'), ("a2", "blue 'hat")]),
    ("queries with attributes, no header", "12\twhat is tea\tdescription\tlong answer\n15\tcost of rope\tquantity\t\n", None, "queries", "query metadata", ("queries",), (Q, "text", "column_3", "column_4"), [("12", "what is tea", "description", "long answer"), ("15", "cost of rope", "quantity", None)]),
    ("queries with a topic beside the id", "query_id\ttopic\tturn\n106_1\t106\t1\n", None, "queries", "query metadata (TSV)", ("queries",), (Q, "topic", "turn"), [("106_1", "106", "1")]),
    ("a column of counts called hits", "query_id,hits,domain\nq1,12,web\nq2,9,app\n", None, "queries", "query metadata (CSV)", ("queries",), (Q, "hits", "domain"), [("q1", "12", "web"), ("q2", "9", "app")]),
    ("documents", "doc_id,title,source\nd1,Tea,web\n", None, "documents", "document metadata (CSV)", ("documents",), (D, "title", "source"), [("d1", "Tea", "web")]),
    ("TREC topics", "<top>\n<num> Number: M1 </num>\n<title> tea cups </title>\n</top>\n<top>\n<num> Number: M2\n<title> hats\n<desc> Description:\nabout\n</top>\n", None, "queries", "TREC topics", ("queries",), (Q, "text", "desc"), [("M1", "tea cups", None), ("M2", "hats", "about")]),
    ("topics in XML", '<topics><topic number="1"><query>tea &amp; cups</query></topic></topics>', None, "queries", "TREC topics", ("queries",), (Q, "text"), [("1", "tea & cups")]),
    ("SVMlight", "2 qid:1 1:0.5 2:0.1 # docid=d1\n0 qid:1 1:0.9 # docid=d2\n", None, "qrels", "SVMlight judgments (learning to rank)", ("qrels",), (Q, D, R), [("1", "d1", "2"), ("1", "d2", "0")]),
    ("LETOR", "2 qid:10 1:0.05 46:0.07 #docid = GX029 inc = 0.01 prob = 0.1\n", None, "qrels", "SVMlight judgments (learning to rank)", ("qrels",), (Q, D, R), [("10", "GX029", "2")]),
    ("JSON by query and document", '{"q1": {"d1": 2,\n "d2": 1}}', None, "qrels", "JSON (query → document → number)", ("qrels", "run"), (Q, D, R), [("q1", "d1", "2"), ("q1", "d2", "1")]),
    ("the same given as a run", '{"q1": {"d1": 2, "d2": 1}}', "run", "run", "JSON (query → document → number)", ("run",), (Q, D, S), [("q1", "d1", 2.0), ("q1", "d2", 1.0)]),
    ("JSON with decimals", '{"q1": {"d1": 0.5, "d2": 0.25}}', None, "run", "JSON (query → document → number)", ("run", "qrels"), (Q, D, S), [("q1", "d1", 0.5), ("q1", "d2", 0.25)]),
    ("JSON lists", '{"a1":["d2","d1"],"a2":["d9"]}', None, "run", "JSON (query → list of documents)", ("run", "qrels"), (Q, D, K), [("a1", "d2", 1.0), ("a1", "d1", 2.0), ("a2", "d9", 1.0)]),
    ("JSON lists given as judgments", '{"a1":["d2","d1"],"a2":["d9"]}', "qrels", "qrels", "JSON (query → list of documents)", ("qrels",), (Q, D), [("a1", "d2"), ("a1", "d1"), ("a2", "d9")]),
    ("JSON lists with scores", '{"q1":[["d1",0.9],["d2",0.3]]}', "run", "run", "JSON (query → list of documents)", ("run",), (Q, D, S), [("q1", "d1", 0.9), ("q1", "d2", 0.3)]),
    ("several systems in one JSON", '{"bm25":{"q1":{"d1":1.5}},"dense":{"q1":{"d2":0.3}}}', None, "run", "JSON (system → query → documents)", ("run",), (Q, D, S, "system"), [("q1", "d1", 1.5, "bm25"), ("q1", "d2", 0.3, "dense")]),
    ("a wrapper", '{"name":"x","results":{"q1":{"d1":0.5}}}', None, "run", "JSON (query → document → number)", ("run", "qrels"), (Q, D, S), [("q1", "d1", 0.5)]),
    ("judgments and run in one document, as judgments", '{"qrels":{"q1":{"d1":1}},"run":{"q1":{"d2":0.3}}}', "qrels", "qrels", "JSON (query → document → number)", ("qrels",), (Q, D, R), [("q1", "d1", "1")]),
    ("judgments and run in one document, as a run", '{"qrels":{"q1":{"d1":1}},"run":{"q1":{"d2":0.3}}}', "run", "run", "JSON (query → document → number)", ("run",), (Q, D, S), [("q1", "d2", 0.3)]),
    ("JSON records, numbers as ids", '[{"qid":1,"docno":5,"score":3.5},{"qid":1,"docno":7.0,"score":"3.1"}]', None, "run", "run (JSON)", ("run",), (Q, D, S), [("1", "5", 3.5), ("1", "7", 3.1)]),
    ("a table by column, as pandas writes it", '{"query_id":{"0":"q1","1":"q1"},"doc_id":{"0":"d1","1":"d2"},"relevance":{"0":1,"1":0}}', None, "qrels", "judgments (JSON)", ("qrels",), (Q, D, R), [("q1", "d1", "1"), ("q1", "d2", "0")]),
    ("JSON lines", '{"query_id":"a1","doc_id":"d2","score":9.5}\n{"query_id":"a1","doc_id":"d1","score":8}\n', None, "run", "run (JSON)", ("run",), (Q, D, S), [("a1", "d2", 9.5), ("a1", "d1", 8.0)]),
    ("OpenSearch judgments", '{"type":"IMPORT_JUDGMENT","judgmentRatings":[{"query":"red","ratings":[{"docId":"11","rating":"3.000"}]},{"query":"hat","ratings":[]}]}', None, "qrels", "OpenSearch judgment list", ("qrels",), (Q, D, R), [("red", "11", "3.000"), ("hat", None, None)]),
    ("OpenSearch judgments by query", '{"judgmentRatings":{"red":[{"docId":"11","rating":"3"}]}}', None, "qrels", "OpenSearch judgment list", ("qrels",), (Q, D, R), [("red", "11", "3")]),
    ("Elasticsearch rank_eval", '{"requests":[{"id":"q1","ratings":[{"_index":"i","_id":"d1","rating":3}]}]}', None, "qrels", "Elasticsearch ranking evaluation", ("qrels",), (Q, D, R), [("q1", "d1", "3")]),
    ("Elasticsearch rank_eval answer", '{"details":{"q1":{"hits":[{"hit":{"_id":"d1","_score":3.2},"rating":1}]}},"failures":{}}', None, "run", "Elasticsearch ranking evaluation, its answer", ("run",), (Q, D, S), [("q1", "d1", 3.2)]),
    ("RRE by document", '{"topics":[{"query_groups":[{"queries":[{"placeholders":{"$query":"a"}},{"placeholders":{"$query":"b"}}],"relevant_documents":{"1":{"gain":3}}}]}]}', None, "qrels", "RRE ratings", ("qrels",), (Q, D, R), [("a", "1", "3"), ("b", "1", "3")]),
    ("RRE by gain", '{"topics":[{"query_groups":[{"queries":[{"placeholders":{"$query":"a"}}],"relevant_documents":{"3":["x"],"1":["y"]}}]}]}', None, "qrels", "RRE ratings", ("qrels",), (Q, D, R), [("a", "x", "3"), ("a", "y", "1")]),
    ("queries without ids", '{"queryText": "tin cup"}\n{"queryText": "rope"}\n', None, "queries", "query metadata (JSON)", ("queries",), (Q,), [("tin cup",), ("rope",)]),
    ("BEIR queries", '{"_id":"a1","text":"red tea","metadata":{"source":"web"}}\n{"_id":"a2","text":"hat","metadata":{}}\n', None, "queries", "queries (JSON)", ("queries", "documents"), (Q, "text", "source"), [("a1", "red tea", "web"), ("a2", "hat", None)]),
    ("BEIR corpus", '{"_id":"d1","title":"T","text":"body","metadata":{"url":"u"}}\n', None, "documents", "document metadata (JSON)", ("documents",), (D, "title", "text", "url"), [("d1", "T", "body", "u")]),
    ("DPR results", '[{"question":"x?","answers":["1"],"ctxs":[{"id":"p2","score":"80.1","has_answer":false},{"id":"p1","score":"7"}]}]', None, "run", "retrieved passages (DPR)", ("run",), (Q, D, S), [("x?", "p2", 80.1), ("x?", "p1", 7.0)]),
    ("pyserini's DPR results", '{"5":{"question":"x?","contexts":[{"docid":"p2","score":80.1,"text":"t"}]}}', None, "run", "retrieved passages (DPR)", ("run",), (Q, D, S), [("5", "p2", 80.1)]),
    ("Ragas rows as judgments", '{"user_input":"x","retrieved_context_ids":["c2","c1"],"reference_context_ids":["c1"]}\n', None, "qrels", "judgments (JSON)", ("qrels", "run"), (Q, D, R), [("x", "c1", "1")]),
    ("Ragas rows as a run", '{"user_input":"x","retrieved_context_ids":["c2","c1"],"reference_context_ids":["c1"]}\n{"user_input":"y","retrieved_context_ids":[],"reference_context_ids":["c9"]}\n', "run", "run", "run (JSON)", ("run",), (Q, D, K), [("x", "c2", 1.0), ("x", "c1", 2.0)]),
    ("Tevatron training rows", '{"query_id":"1","query":"tea","positive_passages":[{"docid":"p1","text":"x"}],"negative_passages":[{"docid":"p9"}]}\n', None, "qrels", "judgments (JSON)", ("qrels",), (Q, "text", D, R), [("1", "tea", "p1", "1")]),
    ("LangSmith rows with ids", '{"run_type":"retriever","inputs":{"query":"x"},"outputs":{"documents":[{"page_content":"t","metadata":{"doc_id":"7"}}]}}\n', None, "run", "LangSmith retriever rows", ("run",), (Q, D, K), [("x", "7", 1.0)]),
    ("LlamaIndex's question set as judgments", '{"queries":{"q1":"what is tea"},"corpus":{"d1":"tea is"},"relevant_docs":{"q1":["d1"]},"mode":"text"}', None, "qrels", "JSON (query → list of documents)", ("qrels", "queries", "documents"), (Q, D), [("q1", "d1")]),
    ("LlamaIndex's question set as queries", '{"queries":{"q1":"what is tea"},"corpus":{"d1":"tea is"},"relevant_docs":{"q1":["d1"]},"mode":"text"}', "queries", "queries", "queries (JSON)", ("queries",), (Q, "text"), [("q1", "what is tea")]),
    ("texts by id", '{"q1":"what is tea","q2":"blue hats?"}', None, "queries", "queries (JSON)", ("queries",), (Q, "text"), [("q1", "what is tea"), ("q2", "blue hats?")]),
    ("grades in objects", '{"q1":{"d1":{"relevance":2,"by":"x"},"d2":{"relevance":0}}}', None, "qrels", "JSON (query → document → number)", ("qrels", "run"), (Q, D, R), [("q1", "d1", "2"), ("q1", "d2", "0")]),
    ("records with grades by document", '{"query_id":"q1","relevant_docs":{"d1":2,"d2":1}}\n{"query_id":"q2","relevant_docs":{"d1":1}}\n', None, "qrels", "JSON records with documents", ("qrels",), (Q, D, R), [("q1", "d1", "2"), ("q1", "d2", "1"), ("q2", "d1", "1")]),
    ("records with a list of ratings", '[{"query":"red","ratings":[{"docId":"11","rating":3}]},{"query":"hat","ratings":[]}]', None, "qrels", "JSON records with documents", ("qrels",), (Q, D, R), [("red", "11", "3"), ("hat", None, None)]),
    ("records with scores by document", '[{"qid":"q1","scores":{"d1":0.5,"d2":0.25}}]', None, "run", "JSON records with documents", ("run",), (Q, D, S), [("q1", "d1", 0.5), ("q1", "d2", 0.25)]),
    ("answers of a search engine by query", '{"q1":{"took":3,"hits":{"total":2,"hits":[{"_id":"d1","_score":3.5}]}}}', None, "run", "retrieved passages (DPR)", ("run",), (Q, D, S), [("q1", "d1", 3.5)]),
    ("relevant documents as a list", '{"query":"tea","relevant":["d1","d2"]}\n', None, "qrels", "judgments (JSON)", ("qrels",), (Q, D, R), [("tea", "d1", "1"), ("tea", "d2", "1")]),
    ("a list of documents and one of scores", '{"qid":"q1","ranking":["d1","d2"],"scores":[0.3,0.2]}\n', None, "run", "run (JSON)", ("run",), (Q, D, K), [("q1", "d1", 1.0), ("q1", "d2", 2.0)]),
    ("booleans as grades", '{"q1":{"d1":true,"d2":false}}', None, "qrels", "JSON (query → document → number)", ("qrels", "run"), (Q, D, R), [("q1", "d1", "true"), ("q1", "d2", "false")]),
    ("Quepid's detailed export", "Team Name,Query Text,Doc ID,Doc Position,Title,Rating\nT,tea,d1,1,x,3\nT,tea,d2,2,y,0\n", None, "qrels", "judgments (CSV)", ("qrels", "run"), (Q, D, R), [("tea", "d1", "3"), ("tea", "d2", "0")]),
    ("a list divided by blanks", "query_id,retrieved\nq1,d1 d2\nq2,d4\n", None, "run", "run (CSV)", ("run",), (Q, D, K), [("q1", "d1", 1.0), ("q1", "d2", 2.0), ("q2", "d4", 1.0)]),
    ("a header behind #", "#qid\tdocid\trel\nq1\td1\t2\n", None, "qrels", "judgments (TSV)", ("qrels",), (Q, D, R), [("q1", "d1", "2")]),
    ("blank lines around the header", "\n\nquery_id,doc_id,rel\n\nq1,d1,1\n\n", None, "qrels", "judgments (CSV)", ("qrels",), (Q, D, R), [("q1", "d1", "1")]),
    ("quoted names", '"query_id","doc_id","relevance"\n"q1","d1","2"\n', None, "qrels", "judgments (CSV)", ("qrels",), (Q, D, R), [("q1", "d1", "2")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "asked", "role", "shape", "possible", "columns", "expected"),
    [pytest.param(*row[1:], id=row[0]) for row in TABLE],
)
def test_a_dialect_is_read_by_its_content(
    data: str | bytes,
    asked: Role | None,
    role: Role,
    shape: str,
    possible: tuple[str, ...],
    columns: tuple[str, ...],
    expected: list[tuple[Any, ...]],
) -> None:
    reading, found, findings = read(data.encode() if isinstance(data, str) else data, asked)
    assert (reading.role, reading.shape, reading.possible) == (role, shape, possible)
    assert [tuple(row[name] for name in columns) for row in found] == expected
    assert not findings.problems


EXCHANGED = "the two files seem to be exchanged: give the judgments as --qrels and the run as --run"
ADVICE = "bring judgments (query, document, grade) and runs (query, document, score)"
IDS = "write ids beside the texts, such as retrieved_context_ids, or an id for each document"
# name, bytes, role asked for, message, hint
REFUSED: list[tuple[str, str | bytes, Role | None, str, str | None]] = [
    ("nothing", "", None, "file: the file is empty", "it holds no bytes, or only blanks"),
    ("a header alone", "query_id,doc_id,relevance\n", "qrels", "file: the file holds no rows", "only a header or comment lines were found"),
    ("a run given as judgments", "a1 Q0 d2 1 9.5 m\n", "qrels", "file: this looks like a run (TREC run), not like judgments (qrels)", EXCHANGED),
    ("judgments given as a run", "a1 0 d1 2\na1 0 d2 1\n", "run", "file: this looks like judgments (qrels) (TREC qrels), not like a run", EXCHANGED),
    ("judgments with a header given as a run", "qid,docno,label\na1,d1,2\n", "run", "file: this looks like judgments (CSV), not like a run", EXCHANGED),
    ("preference judgments", "1.A  F:x  F:y  D-1  1\n1.A  F:x  F:y  D-2  2\n", "qrels", "file: these are preference judgments (which of two documents is better), not grades", ADVICE),
    ("ids with blanks in TREC judgments", "a1 0 guide page 2 1\n", "qrels", 'file:1: the line has 6 columns, expected 4: "a1 0 guide page 2 1"', "ids with blanks need a file with tabs or commas between the columns"),
    ("a table of scores", "query_id,run,ndcg\na1,A,1.0\na2,A,\n", None, "file: this is a table of scores, one for each query; such tables are not read", ADVICE),
    ("predictions", "0.2\n0.9\n", "run", "file: this is one number for each line (a model's predictions); a run needs the query and the document of each", "bring the run as a table: query_id, doc_id, score"),
    ("LangSmith rows without ids", '{"run_type":"retriever","inputs":{"query":"x"},"outputs":{"documents":[{"page_content":"t"}]}}\n', "run", "file: the retrieved documents are texts without ids; a score needs the id of each document", IDS),
    ("Ragas rows without ids", '{"user_input":"x","retrieved_contexts":["a text"],"response":"y"}\n', "run", "file: the retrieved documents are texts without ids; a score needs the id of each document", IDS),
    ("JSON of another layout", '{"model":"m","tokens":12}', None, "file: the JSON has no layout that is read", "layouts that are read: query → document → number, query → list of documents, records with query_id and doc_id …"),
    ("not UTF-8", "query_id,doc_id,relevance\ncafé,d1,2\n".encode("cp1252"), "qrels", "file:2: the file is not UTF-8: byte 0xE9 at position 30 does not belong to it", 'save it as UTF-8, or say how it is written, such as --encoding "file=cp1252" (Windows)'),
    ("JSON nested too deeply", "[" * 5000, None, "file: the JSON is nested too deeply", None),
]  # fmt: skip


@pytest.mark.parametrize(("data", "role", "message", "hint"), [pytest.param(*row[1:], id=row[0]) for row in REFUSED])
def test_what_cannot_be_read_is_told_exactly(
    data: str | bytes, role: Role | None, message: str, hint: str | None
) -> None:
    with pytest.raises(InputError) as caught:
        read(data.encode() if isinstance(data, str) else data, role)
    assert str(caught.value) == message
    assert caught.value.problems[0].hint == hint


def test_every_file_of_the_shared_cases_is_read_or_refused_as_the_role_that_its_name_says(shared: Path) -> None:
    """The oracle is `cases/run_cases.py`; here only that each file ends in a reading or a message, with its first rows."""
    lines = (shared / "cases" / "reading_cases.jsonl").read_text(encoding="utf-8").splitlines()
    refused = set()
    for case in map(json.loads, lines):
        for name, body in case["files"].items():
            if name == "generator":
                continue
            data = base64.b64decode(body["base64"]) if isinstance(body, dict) else body.encode()
            try:
                reading = recognise(Given(name, data=data))
            except InputError:
                refused.add(case["id"])
            else:
                assert reading.preview
                assert all(len(row) <= max(len(reading.columns), 1) or reading.delimiter for row in reading.preview)
    assert refused == {"P011", "P017", "P033", "P051", "P090", "P097"}
