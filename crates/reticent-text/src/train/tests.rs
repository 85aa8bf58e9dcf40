use super::*;

const SMALL: &str = "\
The DT B-NP
dog NN I-NP
barks VBZ B-VP
. . O

A DT B-NP
cat NN I-NP
sees VBZ B-VP
the DT B-NP
dog NN I-NP
. . O

";

fn set(text: &str) -> TrainingSet<'_> {
    TrainingSet {
        name: "small".into(),
        language: Language::English,
        layout: Layout::CONLL2000,
        weight: 3,
        role: Role::Train,
        input: Box::new(text.as_bytes()),
    }
}

#[test]
fn learns_the_same_each_time() {
    let train = || train(vec![set(SMALL)], &Options::default(), &mut |_| {}).unwrap().models;
    let models = train();
    assert_eq!(models, train());
    let tagger = Tagger::read(&models[1].1).unwrap();
    let tags: Vec<_> = tagger.tag("The dog sees the cat .".split(' ')).iter().map(|tag| tag.name()).collect();
    assert_eq!(tags, ["DT", "NN", "VBZ", "DT", "NN", "."]);
}

#[test]
fn says_where_data_is_wrong_without_telling_it() {
    let error = |text| {
        let result = train(vec![set(text)], &Options::default(), &mut |_| {});
        result.err().unwrap().to_string()
    };
    assert!(error("The DT B-NP\nsecret\n").contains("line 2"));
    let message = error("secret FOO B-NP\n\n");
    assert!(!message.contains("secret") && message.contains("line 2"), "{message}");
    assert!(error("").contains("training data is empty"));
}

/// The figures that `models/README.md` tells, on data that is not part of the project.
#[test]
fn shipped_models_are_good_enough() {
    let Some(path) = reticent_testing::shared("data/lang/conll2000-test.conll.gz") else { return };
    let file = std::fs::File::open(path).unwrap();
    let mut input = std::io::BufReader::new(flate2::read::GzDecoder::new(file));
    let corpus = Corpus::read(&mut input, Layout::CONLL2000).unwrap();
    let tagger = crate::annotate::english_tagger().unwrap();
    assert!(evaluate::tags(tagger, &corpus) >= 0.96);
    let model = crate::annotate::english_noun_phrases().unwrap();
    assert!(evaluate::noun_phrases(tagger, model, &corpus).f1() >= 0.92);
}
