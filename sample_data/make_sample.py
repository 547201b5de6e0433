"""Remake the sample comparison from its hand-written source, byte for byte.

Run from the repository with the dependency group `sample`: `python -m sample_data.make_sample` writes the files and
their digests; `--check` writes nothing and exits 1 where a file would change; `--pool` prints the documents to put
before the judges, which is what `source/pool.txt` has to hold after texts or queries have changed.
"""

import hashlib
import sys
from collections.abc import Sequence

from sample_data.authored import Document, Query, read_documents, read_queries
from sample_data.collection import DEPTH, FOLDER, Run, as_run, authored_files
from sample_data.retrievers import Encoder, bm25, char_tfidf, embeddings, hybrid_rerank, hybrid_rrf

POOLED = ("bm25", "char-tfidf", "embeddings")
POOL_DEPTH = 10
FEWEST_JUDGMENTS = 20


def retrieve(documents: Sequence[Document], queries: Sequence[Query]) -> dict[str, Run]:
    """The five runs by name."""
    encoder = Encoder()
    lexical, dense = bm25(documents, queries), embeddings(documents, queries, encoder)
    fused = hybrid_rrf(lexical, dense)
    return {
        "bm25": lexical,
        "char-tfidf": char_tfidf(documents, queries),
        "embeddings": dense,
        "hybrid-rrf": fused,
        "hybrid-rerank": hybrid_rerank(documents, queries, encoder, fused),
    }


def pooled(query: Query, runs: dict[str, Run]) -> list[str]:
    """The first ten of the three pooled runs, and deeper where that gives fewer than 20 documents to judge."""
    for depth in range(POOL_DEPTH, DEPTH + 1):
        pool = {doc_id for name in POOLED for doc_id, _ in runs[name][query.query_id][:depth]}
        if len(pool | set(query.grades)) >= FEWEST_JUDGMENTS:
            return sorted(pool)
    raise ValueError(f"{query.query_id}: the runs return too few documents for a pool")


def with_digests(files: dict[str, str]) -> dict[str, str]:
    """Add SHA256SUMS, in the form that `sha256sum --check` reads."""
    digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in files.items()}
    return files | {"SHA256SUMS": "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))}


def main(arguments: Sequence[str]) -> int:
    """Write the files of the comparison, check them or print the pool."""
    documents, queries = read_documents(FOLDER / "source"), read_queries(FOLDER / "source")
    runs = retrieve(documents, queries)
    if "--pool" in arguments:
        sys.stdout.writelines(f"{query.query_id}: {' '.join(pooled(query, runs))}\n" for query in queries)
        return 0
    files = with_digests(authored_files() | {f"{name}.run": as_run(name, run) for name, run in runs.items()})
    if "--check" in arguments:
        changed = [name for name, text in files.items() if (FOLDER / name).read_bytes() != text.encode()]
        sys.stdout.writelines(f"{name} would change\n" for name in changed)
        return 1 if changed else 0
    for name, text in files.items():
        (FOLDER / name).write_bytes(text.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
