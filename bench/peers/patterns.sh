#!/usr/bin/env bash
# Rule-based detection beside peers, in one run.
set -euo pipefail
cd "$(dirname "$0")/../.."
venv=target/peers
[ -d "$venv" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet -r bench/peers/requirements.txt
for tool in datafog scrubadub; do "$venv/bin/python" bench/peers/patterns.py "$tool"; done
cargo bench -p reticent --bench protect -- patterns
