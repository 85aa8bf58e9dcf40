#!/usr/bin/env bash
# Training a labeller of Spanish clinical notes beside CRFsuite, in one run: the same features (reticent writes
# them), the same number of steps of L-BFGS, the same L2, one thread each, and two of ours. Needs ../shared.
# ITERATIONS and L2 may be set; the figures in benches/README.md are with 10 and 1. RETICENT names the program, else it
# is built.
set -euo pipefail
cd "$(dirname "$0")/../.."
data=../shared/data/meddocan
work=target/peers-labellers
venv=$work/venv
iterations="${ITERATIONS:-60}" l2="${L2:-1}"
mkdir -p "$work"
[ -d "$venv" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet -r bench/peers/labellers.requirements.txt
[ -n "${RETICENT:-}" ] || cargo build --release --quiet -p reticent-cli
reticent=${RETICENT:-target/release/reticent}
train="$reticent train labeller $data/train --dev $data/dev --folds 0 --iterations $iterations --l2 $l2 -o $work/reticent.lab"

$train --dump "$work/features.train"
echo "load: $(cut -d' ' -f1-3 /proc/loadavg)"
"$venv/bin/python" bench/peers/labellers.py "$work/features.train" "$work/features.dev" "$work/crfsuite.model" "$l2" "$iterations"
# Ours is measured from the texts on: reading, tagging, learning rules, features, training, measuring.
for threads in 1 2; do
  /usr/bin/env time -f "{\"tool\": \"reticent\", \"what\": \"all, $threads threads\", \"wall_s\": %e, \"cpu_s\": %U}" \
    $train --jobs "$threads" | head -1
done
echo "load: $(cut -d' ' -f1-3 /proc/loadavg)"
