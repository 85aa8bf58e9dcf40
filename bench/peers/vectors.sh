#!/usr/bin/env bash
# Training word vectors beside gensim, in one run and on the same terms; and what each is worth for detection
# (a term discloses the entity if their cosine is at least 0.25). Needs ../shared.
# EPOCHS, THREADS, SAMPLE and SEED may be set; the figures in benches/README.md are with 15, 2, 1e-3, and several seeds.
set -euo pipefail
cd "$(dirname "$0")/../.."
data=../shared/data/wikiactors
work=target/peers-vectors
venv=target/peers-vectors/venv
export EPOCHS="${EPOCHS:-15}" THREADS="${THREADS:-2}" SAMPLE="${SAMPLE:-1e-3}" SEED="${SEED:-1}"
mkdir -p "$work"
[ -d "$venv" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet -r bench/peers/vectors.requirements.txt
cargo build --release --quiet -p reticent-cli
reticent=target/release/reticent

"$reticent" vectors tokens "$data/corpus.jsonl.gz" -o "$work/tokens.txt"
"$reticent" vectors tokens --spans --id-field id "$data/gold-dev.jsonl" -o "$work/terms.jsonl"
"$reticent" vectors tokens --spans --id-field id --text-field entity "$data/gold-dev.jsonl" -o "$work/entities.jsonl"

echo "load: $(cut -d' ' -f1-3 /proc/loadavg)"
"$venv/bin/python" bench/peers/vectors.py gensim "$work"
/usr/bin/env time -f '{"tool": "reticent", "what": "analysis, training and writing", "wall_s": %e, "cpu_s": %U}' \
  "$reticent" vectors train "$data/corpus.jsonl.gz" -o "$work/reticent.vec" \
  --dimension 300 --window 10 --epochs "$EPOCHS" --negative 5 --threads "$THREADS" --subsample "$SAMPLE" --seed "$SEED"
echo "load: $(cut -d' ' -f1-3 /proc/loadavg)"
"$reticent" vectors export "$work/reticent.vec" -o "$work/reticent.bin"
for tool in gensim reticent; do
  "$venv/bin/python" bench/peers/vectors.py detect "$work" "$tool"
  python3 ../shared/tools/score.py spans "$data/gold-dev.jsonl" "$work/$tool.spans.jsonl"
done
