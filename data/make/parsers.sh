#!/usr/bin/env bash
# Trains the parsers that ship, crates/reticent-text/models/{english,spanish}-parser.bin, again: the same bytes each time.
# Needs ../shared, and `reticent` built: RETICENT names it, else cargo runs it; MODELS names another folder for them.
# Takes about a quarter of an hour on one core.
set -euo pipefail
cd "$(dirname "$0")/../.."
reticent=${RETICENT:-cargo run --release --quiet --bin reticent --}
models=${MODELS:-crates/reticent-text/models}
$reticent train parser ../shared/data/lang -o "$models" --force
