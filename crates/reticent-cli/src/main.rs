//! The program `reticent`.

fn main() {}
