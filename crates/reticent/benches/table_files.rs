//! How fast tables are read and written: 1,000,000 rows of 10 columns, one of them short texts that all differ.

use std::fmt::Write as _;
use std::sync::LazyLock;

use divan::Bencher;
use reticent::table::{Format, ReadOptions, Source, Table, read, write};

fn main() {
    divan::main();
}

const ROWS: usize = 1_000_000;

static CSV: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut out = String::from("id,age,sex,city,zip,born,job,income,score,text\n");
    for row in 0..ROWS {
        let (age, city, day) = (row % 73, row * 7919 % 5003, row % 28 + 1);
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "{row},{age},{},city {city},{:05},19{:02}-03-{day:02},job {},{},{}.5,\"On day {row}, I wrote that all is well.\"",
            ["f", "m"][row % 2],
            row * 31 % 99_991,
            age + 20,
            row % 211,
            ["low", "middle", "high"][row % 3],
            row % 1000,
        );
    }
    out.into_bytes()
});

static TABLE: LazyLock<Table> = LazyLock::new(|| table(Format::Csv, &CSV));

fn table(format: Format, bytes: &[u8]) -> Table {
    read(bytes, &ReadOptions::new(format)).expect("a table").0
}

#[divan::bench(args = ["csv", "jsonl"], sample_count = 3, sample_size = 1)]
fn read_million(bencher: Bencher<'_, '_>, name: &str) {
    let format = if name == "csv" { Format::Csv } else { Format::Jsonl };
    let bytes = write(&TABLE, &Source::plain(format)).expect("written");
    bencher.bench_local(|| table(format, &bytes).rows());
}

#[divan::bench(args = ["csv", "jsonl"], sample_count = 3, sample_size = 1)]
fn write_million(bencher: Bencher<'_, '_>, name: &str) {
    let format = if name == "csv" { Format::Csv } else { Format::Jsonl };
    let source = Source::plain(format);
    bencher.bench_local(|| write(&TABLE, &source).expect("written").len());
}
