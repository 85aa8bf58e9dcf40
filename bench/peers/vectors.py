"""Trains with gensim on the terms that reticent exports; tells what a model's vectors find in the annotated texts."""
import json
import os
import pathlib
import sys
import time

import numpy
from gensim.models import KeyedVectors, Word2Vec

THRESHOLD = 0.25


def train(work):
    sentences = [line.split() for line in open(work / "tokens.txt", encoding="utf8")]
    wall, cpu = time.perf_counter(), time.process_time()
    model = Word2Vec(sentences, vector_size=300, window=10, min_count=1, sg=1, negative=5, seed=int(os.environ["SEED"]),
                     epochs=int(os.environ["EPOCHS"]), workers=int(os.environ["THREADS"]),
                     sample=float(os.environ["SAMPLE"]))
    print(json.dumps({"tool": "gensim", "what": "training", "terms": len(model.wv),
                      "wall_s": round(time.perf_counter() - wall, 1),
                      "cpu_s": round(time.process_time() - cpu, 1)}), flush=True)
    model.wv.save_word2vec_format(work / "gensim.bin", binary=True)


def rows(path):
    return {row["id"]: row["spans"] for row in map(json.loads, open(path, encoding="utf8"))}


def detect(work, tool):
    vectors = KeyedVectors.load_word2vec_format(work / f"{tool}.bin", binary=True)

    def unit(term):
        """The vector of a term, or the mean of those of its words; none if nothing is known."""
        parts = [term] if term in vectors else [word for word in term.split("_") if word in vectors]
        if not parts:
            return None
        vector = numpy.mean([vectors[part] / numpy.linalg.norm(vectors[part]) for part in parts], axis=0)
        return vector / numpy.linalg.norm(vector)

    entities = rows(work / "entities.jsonl")
    unknown = 0
    with open(work / f"{tool}.spans.jsonl", "w", encoding="utf8") as out:
        for name, terms in rows(work / "terms.jsonl").items():
            entity = unit("_".join(term for _, _, term in entities[name]))
            found = []
            for start, end, term in terms:
                vector = unit(term)
                unknown += vector is None
                # What is unknown is never taken for safe.
                if vector is None or entity is None or float(vector @ entity) >= THRESHOLD:
                    found.append([start, end])
            out.write(json.dumps({"id": name, "spans": found}) + "\n")
    print(json.dumps({"tool": tool, "threshold": THRESHOLD, "unknown_terms": unknown}), flush=True)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[2])
    train(folder) if sys.argv[1] == "gensim" else detect(folder, sys.argv[3])
