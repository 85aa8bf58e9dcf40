//! `reticent train labeller --method e2ej`.

use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;

/// What only a neural labeller needs.
#[derive(Args, Debug)]
pub(crate) struct NeuralArgs {
    /// e2ej: how often to go through the data
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    epochs: u16,
    /// e2ej: stop when so many epochs brought nothing better on --dev
    #[arg(long, default_value_t = 6, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    patience: u16,
    /// e2ej: how many lines to learn from at once
    #[arg(long, default_value_t = 32, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    batch: u16,
    /// e2ej: how fast it learns at first; the pace falls to nothing over the epochs
    #[arg(long, default_value_t = 0.001, value_name = "RATE")]
    rate: f32,
    /// e2ej: which share of the lines without any entity an epoch looks at, others in the next
    #[arg(long, default_value_t = 0.25, value_name = "SHARE")]
    empty: f32,
    /// e2ej: what chance starts with
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// e2ej: the size of an LSTM's state, in each direction
    #[arg(long, default_value_t = 256, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    hidden: u16,
    /// e2ej: word vectors of `reticent vectors`, which stay as they are; learnt with the network if not given
    #[arg(long, value_name = "FILE")]
    vectors: Option<PathBuf>,
}

#[cfg(not(feature = "neural"))]
pub(super) fn absent(what: &str) -> Failure {
    Failure::new(what).hint("build it with `cargo build --release -p reticent-cli --features neural`")
}

#[cfg(not(feature = "neural"))]
pub(super) fn train(
    _: &NeuralArgs,
    _: &[reticent_text::label::Example],
    _: &[reticent_text::label::Example],
    _: reticent_text::Language,
    _: usize,
) -> Result<Vec<u8>, Failure> {
    Err(absent("e2ej is a neural network, which this program was built without"))
}

/// Candle shares every sum of two tensors among threads that wait for each other in a loop, which takes half of
/// the time where the threads are busy, as those of training and labelling are. To be called before there is any
/// other thread.
#[cfg(feature = "neural")]
pub(crate) fn keep_candle_on_its_thread() {
    const NAME: &str = "CANDLE_NUM_THREADS";
    if std::env::var_os(NAME).is_none() {
        // No other thread reads the environment yet.
        #[allow(unsafe_code)]
        unsafe {
            std::env::set_var(NAME, "1");
        }
    }
}

/// Trains a network, and tells how it goes after each epoch. Gives the file.
#[cfg(feature = "neural")]
pub(super) fn train(
    args: &NeuralArgs,
    examples: &[reticent_text::label::Example],
    held_out: &[reticent_text::label::Example],
    language: reticent_text::Language,
    threads: usize,
) -> Result<Vec<u8>, Failure> {
    use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
    use reticent_text::label::neural::{self, Epoch, Options, Progress, Sizes};

    use crate::messages;

    let entities: usize = examples.iter().map(|example| example.entities.len()).sum();
    let vectors = args.vectors.as_deref().map(vectors).transpose()?;
    messages::note(&match &vectors {
        Some(vectors) => format!("word vectors: {vectors:?}, which stay as they are"),
        None => "word vectors: learnt with the network".to_owned(),
    });
    if held_out.is_empty() {
        messages::warn("without --dev the last epoch is kept, and probabilities are not calibrated");
    }
    let options = Options {
        language,
        sizes: Sizes { hidden: args.hidden.into(), ..Sizes::default() },
        epochs: args.epochs.into(),
        patience: args.patience.into(),
        batch: args.batch.into(),
        rate: args.rate,
        empty: args.empty,
        seed: args.seed,
        threads,
        vectors,
        trained_on: format!("{} documents with {entities} entities", examples.len()),
        ..Options::default()
    };
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if messages::is_quiet() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} {elapsed}") {
        bar.set_style(style);
    }
    let trained = neural::train(examples, held_out, &options, |progress| match progress {
        Progress::Batch { epoch, done, of, words_per_second } => {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
            bar.set_message(format!("epoch {epoch}, {words_per_second:.0} words/s"));
        }
        Progress::Epoch(Epoch { number, loss, f1, best, words_per_second, seconds_left }) => {
            let f1 = f1.map(|f1| format!(", dev F1 {f1:.4}{}", if best { " (best)" } else { "" }));
            bar.suspend(|| {
                messages::note(&format!(
                    "epoch {number}: loss {loss:.3}{}, {words_per_second:.0} words/s, {:.1} min left",
                    f1.unwrap_or_default(),
                    seconds_left / 60.0
                ));
            });
        }
    })?;
    bar.finish_and_clear();
    if trained.left_out > 0 {
        messages::warn(&format!(
            "{} entities overlap others or cross lines, and were left out",
            trained.left_out
        ));
    }
    Ok(trained.bytes)
}

#[cfg(feature = "neural")]
fn vectors(path: &std::path::Path) -> Result<reticent_text::label::neural::WordVectors, Failure> {
    use reticent_knowledge::embedding::TermVectors;
    let opened = TermVectors::open(path);
    let table = opened.map_err(|error| Failure::from(error).in_file(&path.display().to_string()))?.to_table();
    Ok(reticent_text::label::neural::WordVectors {
        words: table.terms,
        dimension: table.dimension,
        rows: table.rows,
    })
}
