#!/usr/bin/env bash
# The tables of the embeddings paper beside ours, from ../shared/data: 25 of its 50 biographies, which is all that we have.
# Builds `reticent` unless RETICENT names it; trains vectors once (under a minute on two cores). MODEL may name the folder of
# a BERT-like model, for its row of Table 5 (then `reticent` must be built with --features contextual).
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -d ../shared/data/wikiactors ] || { echo "../shared/data is not here: nothing to reproduce from" >&2; exit 2; }
if [ -z "${RETICENT:-}" ]; then
  cargo build --release --quiet -p reticent-cli
  RETICENT=target/release/reticent
fi
work=target/reproduce-embeddings
mkdir -p "$work"
data=../shared/data/wikiactors
[ -f "$work/actors.vec" ] || "$RETICENT" vectors train "$data/corpus.jsonl.gz" -o "$work/actors.vec"
# Without linguistic tools: single words are the terms, as in a language that the program does not know.
[ -f "$work/words.vec" ] || "$RETICENT" vectors train "$data/corpus.jsonl.gz" --language xx -o "$work/words.vec"
exec python3 reproduce/embeddings/tables.py "$RETICENT" "$work" ${MODEL:+"$MODEL"}
