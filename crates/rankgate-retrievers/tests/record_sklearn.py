"""Records what scikit-learn answers on a small corpus, for `tests/it/sklearn.rs`.

    python record_sklearn.py > sklearn.json
"""

import json

import sklearn
from sklearn.feature_extraction.text import TfidfVectorizer

CORPUS = [
    ("oven", "The oven door stays locked while the oven is hot. Wait until the lamp goes out."),
    ("fridge", "Fridge too warm? Check the door seal, then set the dial to four."),
    ("kettle", "Descale the kettle monthly: vinegar and water, boil  twice,\n rinse twice."),
    ("hindi", "दरवाज़ा बंद रखें, फ्रिज ठंडा रहेगा"),
    ("greek", "Ο ΦΟΥΡΝΟΣ κλείνει, ο φούρνος είναι ΖΕΣΤΟΣ"),
    ("empty", ""),
    ("lamp", "Lamp E14: unscrew the glass, change the lamp, screw the glass back."),
]
QUERIES = [
    "Why is the oven door locked?",
    "change the lamp in the OVEN",
    "door door seal",
    "vinegar",
    "फ्रिज बंद",
    "ζεστός φουρνος",
    "nothing known",
]
# The keys are those of `[retriever]`, which are scikit-learn's.
SETTINGS = [
    {},
    {"smooth_idf": False, "sublinear_tf": True},
    {"ngram_range": (1, 2), "stop_words": ["the", "is"]},
    {"ngram_range": (2, 3), "lowercase": False},
    {"analyzer": "char_wb", "ngram_range": (2, 4), "sublinear_tf": True},
    {"analyzer": "char", "ngram_range": (1, 3)},
    {"token_pattern": r"(?u)\b\w{4,}\b"},
    {"token_pattern": r"(?i)\b([a-z])[a-z]+\b"},
    {"token_pattern": r"[^\W\d_]+(?='|\b)|\d"},
]


def recorded(settings):
    vectorizer = TfidfVectorizer(**settings)
    matrix = vectorizer.fit_transform([text for _, text in CORPUS])
    rows = (vectorizer.transform(QUERIES) @ matrix.T).toarray()
    answers = []
    for row in rows:
        hits = [(score, id) for score, (id, _) in zip(row.tolist(), CORPUS) if score > 0]
        answers.append([[id, score] for score, id in sorted(hits, reverse=True)])
    return {"settings": settings, "vocabulary": len(vectorizer.vocabulary_), "answers": answers}


def main():
    record = {
        "scikit-learn": sklearn.__version__,
        "corpus": CORPUS,
        "queries": QUERIES,
        "cases": [recorded(settings) for settings in SETTINGS],
    }
    print(json.dumps(record, ensure_ascii=False, indent=1))


main()
