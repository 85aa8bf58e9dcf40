"""Writes what `whatlang` knows of languages in Latin letters, for reticent-text/models/latin-trigrams.txt.

    python3 data/make/latin-trigrams.py WHATLANG > crates/reticent-text/models/latin-trigrams.txt

WHATLANG is the folder of the crate's source, of the version that Cargo.lock names. A line is a language: its code, the letters
of its alphabet, and its most frequent trigrams in their order; a blank in a trigram is `_`.
"""
import re
import sys


def main(folder):
    profiles = open(f"{folder}/src/trigrams/profiles.rs", encoding="utf8").read()
    latin = profiles[profiles.index("LATIN_LANGS"):]
    latin = latin[:latin.index("pub static", 10)]
    alphabets = open(f"{folder}/src/alphabets/latin.rs", encoding="utf8").read()
    letters = {name.lower(): all_ for name, all_ in re.findall(r'const ([A-Z]{3}): &str =\s*"([^"]*)";', alphabets)}
    for piece in latin.split("Lang::")[1:]:
        code = piece[:3].lower()
        trigrams = re.findall(r"Trigram\('(.)', '(.)', '(.)'\)", piece)
        assert piece.count("Trigram(") == len(trigrams) and code in letters, code
        print(code, letters[code], "".join("".join(trigram).replace(" ", "_") for trigram in trigrams))


if __name__ == "__main__":
    main(*sys.argv[1:])
