#!/usr/bin/env bash
# The tables of the papers on what counts tell, beside ours, from ../shared/data. Builds `reticent` unless RETICENT names it; indexes
# the corpora once (seconds).
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -d ../shared/data/wikiactors ] || { echo "../shared/data is not here: nothing to reproduce from" >&2; exit 2; }
if [ -z "${RETICENT:-}" ]; then
  cargo build --release --quiet -p reticent-cli
  RETICENT=target/release/reticent
fi
work=target/reproduce-disclosure
mkdir -p "$work"
[ -f "$work/medquad.idx" ] || "$RETICENT" index build ../shared/data/corpora/medquad.jsonl.gz -o "$work/medquad.idx"
[ -f "$work/actors.idx" ] || "$RETICENT" index build ../shared/data/wikiactors/corpus.jsonl.gz -o "$work/actors.idx"
[ -f "$work/all.idx" ] || "$RETICENT" index build ../shared/data/corpora ../shared/data/wikiactors/corpus.jsonl.gz -o "$work/all.idx"
python3 reproduce/disclosure/health.py "$RETICENT" "$work"
exec python3 reproduce/disclosure/biographies.py "$RETICENT" "$work"
