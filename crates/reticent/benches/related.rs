//! How fast what tells something of a subject is found and said otherwise, with the vectors that ship, on one thread; and
//! how that grows with the length of the document.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use reticent::policy::Subject;
use reticent::{Knowledge, Policy, Protector};
use reticent_text::Document;

const BIOGRAPHY: &str = "Ana Linehan (born 3 May 1962) is an Irish actress, singer and producer. She grew up in Cork, where her \
    father ran a theatre, and studied drama at Dublin University. Linehan starred in films such as Silent Harbour (1991), The \
    Long Road (1995) and Winterlight (2004), for which she won a Golden Globe Award. Tom Baxter (born 7 July 1971) is a Danish \
    painter. Baxter moved to Lisbon in 2003, where he runs a small gallery. In 2011 she was named one of the most influential \
    women of the European film industry, and earned 4 million dollars.\n\n";

fn main() {
    divan::main();
}

fn protector(method: &str) -> Protector {
    let policy = format!("extends = \"subject\"\n[related]\nmethod = \"{method}\"\nthreshold = 0.25");
    let knowledge = Knowledge::shipped().expect("what ships opens");
    let protector = Protector::new(Policy::from_toml(&policy).expect("a policy"), None);
    protector.and_then(|protector| protector.with_knowledge(knowledge)).expect("a protector")
}

#[divan::bench(args = [16, 64, 256, 1024], sample_count = 3)]
fn about(bencher: Bencher<'_, '_>, kilobytes: usize) {
    measure(bencher, kilobytes, "about", "Ana Linehan");
}

#[divan::bench(args = [16, 64, 256, 1024], sample_count = 3)]
fn similar(bencher: Bencher<'_, '_>, kilobytes: usize) {
    // The shipped vectors know no Ana Linehan.
    measure(bencher, kilobytes, "similar", "actress");
}

fn measure(bencher: Bencher<'_, '_>, kilobytes: usize, method: &str, subject: &str) {
    let text = BIOGRAPHY.repeat(kilobytes * 1024 / BIOGRAPHY.len());
    let (protector, subject) = (protector(method), Subject::named(subject).expect("a name"));
    bencher.counter(BytesCount::new(text.len())).bench_local(|| {
        let mut document = Document::plain("biography", text.clone());
        black_box(protector.protect(&mut document, b"", std::slice::from_ref(&subject)).expect("released"));
    });
}
