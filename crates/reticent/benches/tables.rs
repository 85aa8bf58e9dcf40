//! How protecting a table grows with its rows: persons of eight quasi-identifiers, partitioned, recoded and measured on
//! one thread; and the whole way with a text column whose notes repeat.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use reticent::table::{
    ColumnBuilder, ColumnRule, Finder, Kind, PreparedTable, Role, Schema, Table, TableOptions,
};

fn main() {
    divan::main();
}

/// Numbers that look random and are the same every time.
fn random(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % below
}

fn rule(name: &str, role: Role, kind: Kind) -> ColumnRule {
    ColumnRule {
        name: name.to_owned(),
        role,
        kind,
        hierarchy: None,
        entities: Vec::new(),
        weight: 1.0,
        in_texts: true,
    }
}

const WIDTHS: [(&str, u64, bool); 8] = [
    ("age", 80, true),
    ("hours", 90, true),
    ("education", 16, true),
    ("work", 8, false),
    ("marital", 7, false),
    ("occupation", 14, false),
    ("race", 5, false),
    ("country", 40, false),
];

fn table(rows: usize, texts: bool) -> (Table, Schema) {
    let (mut state, mut columns, mut rules) = (7, Vec::new(), Vec::new());
    for (name, width, number) in WIDTHS {
        let mut column = ColumnBuilder::new(name);
        for _ in 0..rows {
            // Small values are more frequent.
            let value = random(&mut state, width).min(random(&mut state, width));
            column.push(Some(&value.to_string()));
        }
        columns.push(column.finish());
        rules.push(rule(name, Role::QuasiIdentifier, if number { Kind::Number } else { Kind::Category }));
    }
    if texts {
        let mut column = ColumnBuilder::new("note");
        for _ in 0..rows {
            let place =
                ["Paris", "Berlin", "Oslo", "Rome"][usize::try_from(random(&mut state, 4)).unwrap_or(0)];
            column.push(Some(&format!("Lives in {place}, seen {} times.", random(&mut state, 9))));
        }
        columns.push(column.finish());
        rules.push(rule("note", Role::Text, Kind::Category));
    }
    (Table::new(columns).expect("a table"), Schema::new(rules).expect("a schema"))
}

#[divan::bench(args = [10_000, 40_000, 160_000, 640_000], sample_count = 3)]
fn partition(bencher: Bencher<'_, '_>, rows: usize) {
    let (table, schema) = table(rows, false);
    let finder = Finder::new(&schema, None, Vec::new(), 1).expect("detectors");
    bencher.counter(ItemsCount::new(rows)).bench_local(|| {
        let prepared = PreparedTable::new(&table, &schema, &finder, None).expect("prepared");
        black_box(prepared.measure(&TableOptions::k_anonymity(5)).expect("measured"));
    });
}

#[divan::bench(args = [10_000, 40_000, 160_000], sample_count = 3)]
fn protect_with_texts(bencher: Bencher<'_, '_>, rows: usize) {
    let (table, schema) = table(rows, true);
    let finder = Finder::new(&schema, None, Vec::new(), 1).expect("detectors");
    bencher.counter(ItemsCount::new(rows)).bench_local(|| {
        let prepared = PreparedTable::new(&table, &schema, &finder, None).expect("prepared");
        black_box(prepared.protect(&TableOptions::k_anonymity(5)).expect("released"));
    });
}
