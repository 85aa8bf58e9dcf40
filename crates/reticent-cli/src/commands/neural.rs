//! `reticent train labeller --method e2ej`.

use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;

/// Parameters of neural NER models.
#[derive(Args, Debug)]
#[command(next_help_heading = "Neural training (--method e2ej)")]
pub(crate) struct NeuralArgs {
    /// Largest number of epochs
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    epochs: u16,
    /// Stop after this number of epochs without improvement on --dev
    #[arg(long, default_value_t = 6, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    patience: u16,
    /// Batch size, in lines
    #[arg(long, default_value_t = 32, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    batch: u16,
    /// Initial learning rate; decays to zero over the epochs
    #[arg(long, default_value_t = 0.001, value_name = "RATE")]
    rate: f32,
    /// Share of the lines without entities that are used in each epoch
    #[arg(long, default_value_t = 0.25, value_name = "SHARE")]
    empty: f32,
    /// Random seed
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Size of the LSTM state in each direction
    #[arg(long, default_value_t = 256, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    hidden: u16,
    /// Frozen word vectors from `reticent vectors` [default: trained with the network]
    #[arg(long, value_name = "FILE")]
    vectors: Option<PathBuf>,
}

#[cfg(not(feature = "neural"))]
pub(super) fn absent(what: &str) -> Failure {
    Failure::new(what).hint("rebuild with `cargo build --release -p reticent-cli --features neural`")
}

#[cfg(not(feature = "neural"))]
pub(super) fn train(
    _: &NeuralArgs,
    _: &[reticent_text::label::Example],
    _: &[reticent_text::label::Example],
    _: reticent_text::Language,
    _: usize,
) -> Result<Vec<u8>, Failure> {
    Err(absent("--method e2ej is not available: this program was built without neural networks"))
}

/// Keeps Candle on one thread: it splits every tensor addition among spinning threads, which takes half of the time when
/// training and labelling already use all cores. Must be called before any other thread is started.
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

/// Trains a network, reports progress after each epoch, and returns the file.
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
        Some(vectors) => format!("word vectors: {vectors:?} (frozen)"),
        None => "word vectors: trained with the network".to_owned(),
    });
    if held_out.is_empty() {
        messages::warn("without --dev, the last epoch is kept and probabilities are not calibrated");
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
            "{} entities overlap others or cross lines and were omitted",
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
