"""Words with the clusters they lie in, as sixteen bits: the first bit tells the two halves of all words apart, the
second the halves of each half, and so on (bisecting spherical k-means over word vectors; always the same result).

  clusters.py VECTORS.bin OUT.tsv        vectors in word2vec's binary format
"""
import sys
import numpy

DEPTH, SMALLEST = 16, 12


def read(path):
    with open(path, "rb") as file:
        count, size = map(int, file.readline().split())
        words, rows = [], numpy.empty((count, size), "f4")
        for at in range(count):
            word = bytearray()
            while (c := file.read(1)) != b" ":
                if c != b"\n":
                    word += c
            words.append(word.decode("utf8"))
            rows[at] = numpy.frombuffer(file.read(4 * size), "f4")
    return words, rows


words, rows = read(sys.argv[1])
keep = [at for at, word in enumerate(words) if word.isalpha() or "-" in word]
words, rows = [words[at] for at in keep], rows[keep]
rows -= rows.mean(0)
rows /= numpy.linalg.norm(rows, axis=1, keepdims=True) + 1e-9
bits = numpy.zeros(len(words), "u4")
queue = [(numpy.arange(len(words)), 0)]
while queue:
    members, depth = queue.pop()
    if depth == DEPTH or len(members) < SMALLEST:
        continue
    own = rows[members]
    # Begin along the direction in which these words differ most.
    direction = numpy.random.default_rng(7).normal(size=own.shape[1]).astype("f4")
    centered = own - own.mean(0)
    for _ in range(12):
        direction = centered.T @ (centered @ direction)
        direction /= numpy.linalg.norm(direction) + 1e-12
    side = centered @ direction > 0
    for _ in range(8):
        if side.all() or not side.any():
            break
        one, other = own[side].mean(0), own[~side].mean(0)
        one, other = one / numpy.linalg.norm(one), other / numpy.linalg.norm(other)
        side = own @ one > own @ other
    if side.all() or not side.any():
        continue
    bits[members[side]] |= 1 << (15 - depth)
    queue += [(members[side], depth + 1), (members[~side], depth + 1)]
with open(sys.argv[2], "w", encoding="utf8") as out:
    out.writelines(f"{word}\t{own}\n" for word, own in zip(words, bits))
