#!/usr/bin/env bash
# Makes crates/reticent-knowledge/data/frequencies.bin from the PyPI package `wordfreq` (data CC-BY-SA 4.0).
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet msgpack==1.1.2
"$work/venv/bin/pip" download --quiet --no-deps --dest "$work" wordfreq==3.1.1
"$work/venv/bin/python" - "$work" <<'PYTHON'
import glob, gzip, msgpack, sys, zipfile
work, most = sys.argv[1], 60_000
wheel = zipfile.ZipFile(glob.glob(work + "/wordfreq-*.whl")[0])
for language in ("en", "es"):
    packed = gzip.decompress(wheel.read(f"wordfreq/data/large_{language}.msgpack.gz"))
    header, *buckets = msgpack.unpackb(packed)
    assert header == {"format": "cB", "version": 1}
    # The bucket at place i holds the words of frequency 10 ** (-i / 100).
    words = [(word, round(1e9 * 10 ** (-i / 100))) for i, bucket in enumerate(buckets) for word in bucket]
    words = [(word, count) for word, count in words if any(c.isalnum() for c in word) and "\t" not in word]
    with open(f"{work}/{language}.tsv", "w", encoding="utf-8", newline="\n") as out:
        out.writelines(f"{word}\t{count}\n" for word, count in words[:most])
PYTHON
# The program embeds the file, so that there must be one before it can be compiled.
output=crates/reticent-knowledge/data/frequencies.bin
[ -e "$output" ] || : > "$output"
cargo run --release -p reticent-knowledge --example pack_frequencies -- "$work/en.tsv" "$work/es.tsv" "$output"
