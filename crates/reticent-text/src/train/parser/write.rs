//! From a network that has learnt to the bytes of a model.

use super::Names;
use super::network::{Map, Network};
use crate::parse::MAGIC;
use crate::parse::matrix::{Map as Written, Table, write_floats};
use crate::tag::Writer;

pub(super) fn model(network: &Network, names: &Names, vectors: &[u32], words: &[u32]) -> Vec<u8> {
    let sizes = network.sizes;
    let mut out = Writer::default();
    out.bytes(MAGIC);
    sizes.write(&mut out);
    for name in names.tags.iter().map(String::as_str).chain(names.relations.iter().copied()) {
        out.length(name.len());
        out.bytes(name.as_bytes());
    }
    for keys in [vectors, words] {
        out.length(keys.len());
        for key in keys {
            out.bytes(&key.to_le_bytes());
        }
    }
    Table::write(&network.vectors, sizes.vector, &mut out);
    for (table, columns) in [
        (&network.words, sizes.word),
        (&network.suffixes, sizes.suffix),
        (&network.tags, sizes.tag),
        (&network.shapes, sizes.shape),
    ] {
        Table::write(&table.value, columns, &mut out);
    }
    let map = |map: &Map, out: &mut Writer| Written::write(&map.weights.value, &map.constant.value, out);
    network.layers.iter().for_each(|layer| map(layer, &mut out));
    map(&network.places, &mut out);
    write_floats(&network.special.value, &mut out);
    write_floats(&network.steps.weights.transposed(), &mut out);
    write_floats(&network.steps.constant.value, &mut out);
    map(&network.head, &mut out);
    map(&network.dependent, &mut out);
    write_floats(&network.root.value, &mut out);
    write_floats(&network.distances.value, &mut out);
    map(&network.labels, &mut out);
    map(&network.tagger, &mut out);
    out.finish()
}
