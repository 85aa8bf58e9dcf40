#!/usr/bin/env bash
# Chapters 3 and 4 of the thesis: trains ReCRF, E2EJ (in a build with the feature `neural`) and the labellers of diseases,
# and scores them on the development sets. Needs ../shared; RETICENT names the program, else it is built. About an hour.
set -euo pipefail
cd "$(dirname "$0")/../.."
data=../shared/data
work=target/reproduce-labellers
mkdir -p "$work"
[ -n "${RETICENT:-}" ] || cargo build --release --quiet -p reticent-cli --features neural
reticent=${RETICENT:-target/release/reticent}

notes() { # name, then what to train with
  local name=$1; shift
  "$reticent" train labeller "$data/meddocan/train" -o "$work/$name.labeller" "$@"
  rm -rf "${work:?}/$name" && mkdir "$work/$name"
  "$reticent" label --quiet --model "$work/$name.labeller" --format brat "$data/meddocan/dev" -o "$work/$name"
  echo "== $name, Table 3.2"; python3 reproduce/labellers/categories.py "$data/meddocan/dev" "$work/$name"
  echo "== $name, Tables 3.4 and 3.6"; python3 ../shared/tools/score.py brat "$data/meddocan/dev" "$work/$name"
}
diseases() {
  local name=$1; shift
  "$reticent" train labeller "$data/ncbi-disease/train.tsv" -o "$work/$name.labeller" "$@"
  "$reticent" label --quiet --model "$work/$name.labeller" --format conll "$data/ncbi-disease/devel.tsv" -o "$work/$name.tsv"
  echo "== $name, Table 4.2"; python3 reproduce/labellers/words.py "$data/ncbi-disease/devel.tsv" "$work/$name.tsv"
  echo "== $name, Table 4.3"; python3 ../shared/tools/score.py conll "$data/ncbi-disease/devel.tsv" "$work/$name.tsv"
}

notes recrf --method recrf --l2 0.2 --iterations 100
notes crf --method crf --iterations 100
notes e2ej --method e2ej --dev "$data/meddocan/dev" --epochs 11 --hidden 128 --rate 0.002
diseases thesis --method disease
clusters=()
[ -f target/names/clusters.tsv ] && clusters=(--clusters target/names/clusters.tsv)
diseases better --method diseases --l2 0.3 "${clusters[@]}"
