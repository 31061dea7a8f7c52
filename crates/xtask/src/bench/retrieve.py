"""One Python library: indexes a corpus, answers questions, prints the CPU seconds of both as a line of JSON.

    retrieve.py SYSTEM corpus.jsonl queries.tsv ANSWERS [MOST_QUERIES]

The ten best ids of each question go to ANSWERS. Reading the files and importing the library are not measured.
"""

import importlib.metadata
import json
import sys
import time

DEPTH = 10
PATTERN = r"(?u)\b\w\w+\b"


def best(scores):
    """Positions of the ten best scores above zero."""
    order = scores.argsort()[::-1][:DEPTH]
    return [i for i in order if scores[i] > 0]


def sklearn_loop(ids, texts, queries):
    """The loop of most tutorials: transform, cosine_similarity, argsort, once per question."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.metrics.pairwise import cosine_similarity

    yield "scikit-learn"
    vectorizer = TfidfVectorizer()
    matrix = vectorizer.fit_transform(texts)
    yield
    yield [[ids[i] for i in best(cosine_similarity(vectorizer.transform([q]), matrix)[0])] for q in queries]


def sklearn_batch(ids, texts, queries):
    """All questions as one sparse product, and only non-zero scores looked at."""
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer

    yield "scikit-learn"
    vectorizer = TfidfVectorizer()
    matrix = vectorizer.fit_transform(texts)
    yield
    product = (vectorizer.transform(queries) @ matrix.T).tocsr()
    lists = []
    for row in range(len(queries)):
        start, end = product.indptr[row], product.indptr[row + 1]
        scores, columns = product.data[start:end], product.indices[start:end]
        if len(scores) > DEPTH:
            kept = np.argpartition(scores, -DEPTH)[-DEPTH:]
            scores, columns = scores[kept], columns[kept]
        lists.append([ids[columns[i]] for i in best(scores)])
    yield lists


def bm25s(ids, texts, queries):
    import bm25s

    yield "bm25s"
    options = {"stopwords": None, "stemmer": None, "token_pattern": PATTERN, "show_progress": False}
    retriever = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    retriever.index(bm25s.tokenize(texts, **options), show_progress=False)
    yield
    found, scores = retriever.retrieve(
        bm25s.tokenize(queries, **options), k=DEPTH, n_threads=0, show_progress=False
    )
    yield [[ids[i] for i, s in zip(row, values) if s > 0] for row, values in zip(found, scores)]


def tantivy(ids, texts, queries):
    import tantivy

    yield "tantivy"
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    schema.add_text_field("text", stored=False, tokenizer_name="default", index_option="freq")
    index = tantivy.Index(schema.build())
    writer = index.writer(heap_size=500_000_000, num_threads=1)
    for id, text in zip(ids, texts):
        writer.add_document(tantivy.Document(id=id, text=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    yield
    searcher = index.searcher()
    lists = []
    for query in queries:
        result = searcher.search(index.parse_query(query, ["text"]), DEPTH)
        lists.append([searcher.doc(address)["id"][0] for _, address in result.hits])
    yield lists


def main():
    system, corpus, queries, answers, *most = sys.argv[1:]
    with open(corpus, encoding="utf-8") as file:
        chunks = [json.loads(line) for line in file]
    with open(queries, encoding="utf-8") as file:
        queries = [line.rstrip("\n").split("\t")[1] for line in file]
    queries = queries[: int(most[0])] if most else queries
    steps = globals()[system]([c["id"] for c in chunks], [c["text"] for c in chunks], queries)
    package = next(steps)
    clock = [time.process_time()]
    next(steps)
    clock.append(time.process_time())
    lists = next(steps)
    clock.append(time.process_time())
    with open(answers, "w", encoding="utf-8") as file:
        file.writelines(" ".join(ids) + "\n" for ids in lists)
    measured = {
        "version": importlib.metadata.version(package),
        "index_seconds": clock[1] - clock[0],
        "query_seconds": clock[2] - clock[1],
        "queries": len(queries),
    }
    print(json.dumps(measured))


main()
