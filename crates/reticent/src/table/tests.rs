//! The paper's example, and what must hold of any table.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::{
    Just, ProptestConfig, any, prop, prop_assert, prop_assert_eq, prop_assume, prop_oneof, proptest,
};
use proptest::strategy::Strategy as Generates;

use super::*;
use crate::{EntityType, Knowledge};

/// A table of these columns and rows; an empty cell is missing.
fn table(names: &[&str], rows: &[Vec<String>]) -> Table {
    let mut columns: Vec<ColumnBuilder> = names.iter().map(|name| ColumnBuilder::new(*name)).collect();
    for row in rows {
        for (column, cell) in columns.iter_mut().zip(row) {
            column.push(Some(cell.as_str()).filter(|cell| !cell.is_empty()));
        }
    }
    Table::new(columns.into_iter().map(ColumnBuilder::finish).collect()).expect("a table")
}

fn rule(name: &str, role: Role, kind: Kind, entities: &[EntityType]) -> ColumnRule {
    ColumnRule {
        name: name.to_owned(),
        role,
        kind,
        hierarchy: None,
        entities: entities.to_vec(),
        weight: 1.0,
        in_texts: true,
    }
}

fn schema(rules: Vec<ColumnRule>) -> Schema {
    Schema::new(rules).expect("a schema")
}

fn finder() -> &'static Finder {
    static FINDER: std::sync::OnceLock<Finder> = std::sync::OnceLock::new();
    FINDER.get_or_init(|| Finder::new(&any_schema(), None, Vec::new(), 2).expect("detectors"))
}

fn knowledge() -> &'static Knowledge {
    static KNOWLEDGE: std::sync::OnceLock<Knowledge> = std::sync::OnceLock::new();
    KNOWLEDGE.get_or_init(|| Knowledge::shipped().expect("knowledge"))
}

#[test]
fn a_k_map_is_counted_on_the_population() {
    let own = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = [["31", "Lyon"], ["34", "Paris"], ["61", "Bonn"], ["66", "Kiel"]]
        .iter()
        .map(|row| own(row))
        .collect();
    let more = [["33", "Lyon"], ["62", "Bonn"], ["34", "Lyon"], ["40", "Rome"]];
    let everyone: Vec<Vec<String>> = rows.iter().cloned().chain(more.iter().map(|row| own(row))).collect();
    let names = ["age", "city"];
    let (table, population) = (table(&names, &rows), table(&names, &everyone));
    let schema = schema(vec![
        rule("age", Role::QuasiIdentifier, Kind::Number, &[]),
        rule("city", Role::QuasiIdentifier, Kind::Category, &[]),
    ]);
    let prepared = PreparedTable::new(&table, &schema, finder(), None).expect("prepared");
    let mut options = TableOptions::k_anonymity(2);
    options.requirements.push(Requirement::KMap(3, population.clone()));
    let released = prepared.protect(&options).expect("released");
    let counted = released.verification.population.as_ref().expect("counted");
    // Bonn and Kiel, 61 to 66: two of the table and one more.
    assert_eq!((counted.persons, counted.k, counted.row), (8, 3, 3));
    assert!((released.measures.risk.journalist - 1.0 / 3.0).abs() < 1e-9);
    assert!((released.measures.risk.prosecutor - 0.5).abs() < 1e-9);
    let population = Population { table: &population, taxonomy: None };
    let again = verify(&released.table, &schema, finder(), Some(population)).expect("verified");
    let asks = |k_map: usize| again.problems(&Wanted { k_map: Some(k_map), ..Wanted::default() });
    assert!(asks(3).is_empty() && asks(4)[0].contains("fewer than 4"), "{:?}", asks(4));
    let alone = verify(&released.table, &schema, finder(), None).expect("verified");
    assert!(!alone.problems(&Wanted { k_map: Some(1), ..Wanted::default() }).is_empty());
}

#[test]
fn a_k_map_is_counted_on_what_taxonomies_generalized() {
    let rows = |cities: &[&str]| cities.iter().map(|city| vec![(*city).to_owned()]).collect::<Vec<_>>();
    let own = table(&["city"], &rows(&["Bonn", "Lyon", "Osaka", "Tokyo"]));
    let everyone = ["Bonn", "Lyon", "Lyon", "Nice", "Osaka", "Tokyo", "Tokyo", "Lima"];
    let everyone = table(&["city"], &rows(&everyone));
    let city = rule("city", Role::QuasiIdentifier, Kind::Category, &[]);
    let schema = schema(vec![ColumnRule { hierarchy: Some(Hierarchy::Taxonomy), ..city }]);
    let prepared = PreparedTable::new(&own, &schema, finder(), Some(knowledge())).expect("prepared");
    let mut options = TableOptions::k_anonymity(2);
    options.requirements.push(Requirement::KMap(3, everyone.clone()));
    let released = prepared.protect(&options).expect("released");
    let counted = released.verification.population.as_ref().expect("counted");
    assert_eq!((counted.persons, counted.k), (8, 3));
    let taxonomy = Some(knowledge().taxonomy());
    let population = Some(Population { table: &everyone, taxonomy });
    let again = verify(&released.table, &schema, finder(), population).expect("verified");
    assert!(again.problems(&Wanted { k_map: Some(3), ..Wanted::default() }).is_empty());
    assert!(!again.problems(&Wanted { k_map: Some(4), ..Wanted::default() }).is_empty());
}

#[test]
fn reports_count_texts_that_are_withheld() {
    let rows = vec![vec!["31".to_owned(), "I live in Lyon.".to_owned()]; 2];
    let table = table(&["age", "note"], &rows);
    let schema = schema(vec![
        rule("age", Role::QuasiIdentifier, Kind::Number, &[]),
        rule("note", Role::Text, Kind::Category, &[]),
    ]);
    let prepared = PreparedTable::new(&table, &schema, finder(), None).expect("prepared");
    let mut measures = prepared.protect(&TableOptions::k_anonymity(2)).expect("released").measures;
    assert_eq!(measures.withheld, BTreeMap::from([("note".to_owned(), 0)]));
    measures.withheld.insert("note".to_owned(), 3);
    assert!(measures.text().contains("texts withheld   3 in `note`\n"), "{}", measures.text());
    assert!(measures.html().contains("3 in `note`") && measures.json().contains("\"note\": 3"));
    let measured = prepared.measure(&TableOptions::k_anonymity(2)).expect("measured");
    assert!(measured.withheld.is_empty() && !measured.text().contains("withheld"));
}

/// The rows of a table with the cells of each.
fn cells(table: &Table) -> Vec<Vec<String>> {
    let row =
        |row| table.columns().iter().map(|column| column.get(row).unwrap_or_default().to_owned()).collect();
    (0..table.rows()).map(row).collect()
}

mod paper {
    use super::*;

    /// The paper's Table 1, as far as we may read it: it lies beside the project, not in it.
    fn example() -> Option<Table> {
        let file = std::fs::read(reticent_testing::shared("data/rx/paper-example.csv")?).expect("a file");
        let mut reader = csv::Reader::from_reader(file.as_slice());
        let names: Vec<String> = reader.headers().expect("names").iter().map(str::to_owned).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let rows: Vec<Vec<String>> =
            reader.records().map(|row| row.expect("a row").iter().map(str::to_owned).collect()).collect();
        Some(table(&names, &rows))
    }

    fn rules() -> Schema {
        let category = |name| rule(name, Role::QuasiIdentifier, Kind::Category, &[]);
        let date = Kind::Date { format: Some("%d,%B,%Y".to_owned()) };
        schema(vec![
            rule("id", Role::Identifier, Kind::Category, &[]),
            category("gender"),
            rule("age", Role::QuasiIdentifier, Kind::Number, &[EntityType::AGE]),
            // The paper leaves `my education` alone.
            ColumnRule { in_texts: false, ..category("topic") },
            category("sign"),
            rule("date", Role::QuasiIdentifier, date, &[EntityType::DATE_TIME]),
            rule("text", Role::Text, Kind::Category, &[]),
        ])
    }

    #[test]
    fn table_3_the_persons() {
        let Some(table) = example() else { return };
        let schema = rules();
        let prepared = PreparedTable::new(&table, &schema, finder(), None).expect("prepared");
        let terms = |person: u32| {
            let terms =
                prepared.people.terms.of(person).iter().map(|term| &prepared.vocabulary[*term as usize]);
            terms.map(|term| format!("{} {}", term.kind, term.folded)).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(prepared.persons(), 6);
        assert_eq!(terms(0), "JOB_TITLE engineer, LOCATION mexico, PERSON pedro");
        assert_eq!(terms(1), "JOB_TITLE engineer");
        assert_eq!(terms(2), "LOCATION canada, PERSON ben");
        assert_eq!(terms(3), "DURATION four days ago, JOB_TITLE biologist, JOB_TITLE scientist, LOCATION uk");
        assert_eq!(terms(4), "");
        assert_eq!(terms(5), "LOCATION uk");
        let dates = &prepared.people.attributes[4];
        assert_eq!([0, 1, 2, 3, 4, 5].map(|person| dates.of(person).len()), [2, 1, 1, 3, 1, 1]);
    }

    #[test]
    fn table_4_released() {
        let Some(table) = example() else { return };
        let schema = rules();
        let prepared = PreparedTable::new(&table, &schema, finder(), None).expect("prepared");
        let options =
            TableOptions { wording: Wording::Paper, order: RowOrder::Kept, ..TableOptions::k_anonymity(2) };
        let released = prepared.protect(&options).expect("released");
        let ones = ["male", "[24-36]", "(Student,Education)", "(Leo,Aries)", "[2004-2005]"];
        let threes = ["male", "[29-37]", "(indUnk,Banking)", "Pisces", "2004-05"];
        let fours = ["female", "[24-27]", "Science", "Aries", "2004"];
        let expected = [
            ("1", ones, "My name is person, I’m a [24-36] years old engineer from location."),
            ("1", ones, "A quick follow up: I will post updates about my education in more detail."),
            ("2", ones, "I will start working for a big tech company as an engineer."),
            ("3", threes, "During my last business trip to location I met my friend person from college."),
            ("4", fours, "As a job from the UK, you can be proud!"),
            ("4", fours, "Date, I started my blog. Stay tuned for more content."),
            ("4", fours, "2004 will be a great year for science and for my career as a job."),
            ("5", threes, "Did you know that Pisces is the last constellation of the zodiac."),
            ("6", fours, "Rainy weather again here in the UK. I hope you all have a good day!"),
        ];
        let expected: Vec<Vec<String>> = expected
            .iter()
            .map(|(id, columns, text)| {
                [*id].iter().chain(columns).chain([text]).map(|cell| (*cell).to_owned()).collect()
            })
            .collect();
        assert_eq!(cells(&released.table), expected);
        assert_eq!((released.verification.k, released.verification.classes), (2, 3));
    }

    #[test]
    fn with_taxonomies_places_generalize_to_what_all_share() {
        let rows = [
            ["a", "30", "I am from Mexico."],
            ["b", "30", "I was in Canada last year."],
            ["c", "60", "I live in Lyon."],
            ["d", "60", "We moved to Paris."],
        ];
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect();
        let table = table(&["id", "age", "text"], &rows);
        let schema = schema(vec![
            rule("id", Role::Identifier, Kind::Category, &[]),
            rule("age", Role::QuasiIdentifier, Kind::Number, &[EntityType::AGE]),
            rule("text", Role::Text, Kind::Category, &[]),
        ]);
        let prepared = PreparedTable::new(&table, &schema, finder(), Some(knowledge())).expect("prepared");
        let released = prepared.protect(&TableOptions::k_anonymity(2)).expect("released");
        let texts: Vec<String> = cells(&released.table).into_iter().map(|row| row[2].clone()).collect();
        assert_eq!(texts[0], "I am from North America.");
        assert!(texts[1].starts_with("I was in North America"), "{}", texts[1]);
        assert_eq!(texts[2], "I live in France.");
        assert_eq!(texts[3], "We moved to France.");
    }
}

mod refused {
    use super::*;

    fn error(names: &[&str], rows: &[&[&str]], rules: Vec<ColumnRule>, options: &TableOptions) -> String {
        let rows: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect();
        let table = table(names, &rows);
        let schema = schema(rules);
        let prepared = PreparedTable::new(&table, &schema, finder(), None);
        let done = prepared.and_then(|prepared| prepared.protect(options).map(|_| ()));
        done.expect_err("an error").to_string()
    }

    fn age() -> ColumnRule {
        rule("age", Role::QuasiIdentifier, Kind::Number, &[])
    }

    #[test]
    fn fewer_persons_than_k() {
        let message = error(&["age"], &[&["1"], &["2"]], vec![age()], &TableOptions::k_anonymity(3));
        assert_eq!(message, "the table has 2 persons, fewer than the 3 required in a class");
    }

    #[test]
    fn a_column_without_values() {
        let message = error(&["age"], &[&[""], &[""]], vec![age()], &TableOptions::k_anonymity(2));
        assert_eq!(message, "the column `age` has no value in any row");
    }

    #[test]
    fn a_number_that_is_none() {
        let message = error(&["age"], &[&["1"], &["x"]], vec![age()], &TableOptions::k_anonymity(2));
        assert_eq!(message, "row 2, column `age`: the value is not a number");
    }

    #[test]
    fn a_hierarchy_that_lacks_a_value() {
        let mut city = rule("city", Role::QuasiIdentifier, Kind::Category, &[]);
        city.hierarchy = Some(Hierarchy::Levels(vec![vec!["Metz".into(), "France".into()]]));
        let message = error(&["city"], &[&["Metz"], &["Bonn"]], vec![city], &TableOptions::k_anonymity(2));
        assert_eq!(message, "row 2, column `city`: the value is not in the column's hierarchy");
    }

    #[test]
    fn a_text_column_that_is_absent() {
        let rules = vec![age(), rule("text", Role::Text, Kind::Category, &[])];
        let message = error(&["age"], &[&["1"], &["2"]], rules, &TableOptions::k_anonymity(2));
        assert_eq!(message, "the table has no column `text`, which the schema declares as a text");
    }

    #[test]
    fn a_column_that_nobody_decided_about() {
        let message =
            error(&["age", "x"], &[&["1", "a"], &["2", "b"]], vec![age()], &TableOptions::k_anonymity(2));
        assert_eq!(message, "the schema has no rule for the column `x`");
    }

    #[test]
    fn a_person_without_identifier() {
        let rules = vec![rule("id", Role::Identifier, Kind::Category, &[]), age()];
        let message = error(&["id", "age"], &[&["a", "1"], &["", "2"]], rules, &TableOptions::k_anonymity(2));
        assert!(message.starts_with("row 2, column `id`: the identifier is missing"), "{message}");
    }

    #[test]
    fn a_table_that_is_not_diverse() {
        let rules = vec![age(), rule("ill", Role::Sensitive, Kind::Category, &[])];
        let mut options = TableOptions::k_anonymity(2);
        options.requirements.push(Requirement::DistinctDiversity("ill".to_owned(), 2));
        let message = error(&["age", "ill"], &[&["1", "a"], &["2", "a"]], rules, &options);
        assert_eq!(
            message,
            "even the whole table as one class does not satisfy distinct 2-diversity of `ill`"
        );
    }
}

const TEXTS: [&str; 7] = [
    "",
    "I live in Paris.",
    "I live in Berlin and work as a teacher.",
    "My friend Anna is an engineer.",
    "Nothing to tell.",
    "I am 30 years old.",
    "Write to ana.ruiz@example.org, I was born in 1980.",
];

/// Rows of a small table: id, age, city, date, illness, text.
fn any_rows() -> impl Generates<Value = Vec<Vec<String>>> {
    let row = (0..12u8, 20..40u8, 0..4usize, 0..5u8, 0..3u8, 0..TEXTS.len(), 0..10u8).prop_map(
        |(id, age, city, month, ill, text, missing)| {
            let age = if missing == 0 { String::new() } else { age.to_string() };
            vec![
                format!("p{id}"),
                age,
                ["Paris", "Berlin", "Rome", "Oslo"][city].to_owned(),
                format!("2004-0{}-1{}", month + 1, month),
                format!("illness {ill}"),
                TEXTS[text].to_owned(),
            ]
        },
    );
    prop::collection::vec(row, 6..30).prop_filter("an age", |rows| rows.iter().any(|row| !row[1].is_empty()))
}

const NAMES: [&str; 6] = ["id", "age", "city", "date", "ill", "text"];

fn any_schema() -> Schema {
    schema(vec![
        rule("id", Role::Identifier, Kind::Category, &[]),
        rule("age", Role::QuasiIdentifier, Kind::Number, &[EntityType::AGE]),
        rule("city", Role::QuasiIdentifier, Kind::Category, &[EntityType::LOCATION]),
        rule("date", Role::QuasiIdentifier, Kind::Date { format: None }, &[EntityType::DATE_TIME]),
        rule("ill", Role::Sensitive, Kind::Category, &[]),
        rule("text", Role::Text, Kind::Category, &[]),
    ])
}

fn any_strategy() -> impl Generates<Value = Strategy> {
    prop_oneof![
        (0..=4u8, any::<bool>())
            .prop_map(|(l, relaxed)| Strategy::Mondrian { lambda: f64::from(l) / 4.0, relaxed }),
        Just(Strategy::Gdf),
    ]
}

/// Which original persons are in which class: by the released identifiers.
fn classes(original: &[Vec<String>], released: &Table) -> BTreeSet<BTreeSet<String>> {
    let mut classes: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
    for (before, after) in original.iter().zip(cells(released)) {
        classes.entry(after[1..4].to_vec()).or_default().insert(before[0].clone());
    }
    classes.into_values().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn every_class_has_k_persons_and_every_value_covers_its_own(
        rows in any_rows(), k in 2..4usize, strategy in any_strategy()
    ) {
        let (table, schema) = (table(&NAMES, &rows), any_schema());
        let prepared = PreparedTable::new(&table, &schema, finder(), Some(knowledge())).expect("prepared");
        prop_assume!(prepared.persons() >= k);
        let options = TableOptions { strategy, ..TableOptions::k_anonymity(k) };
        let released = prepared.protect(&options).expect("released");
        let mut origins = released.origins.clone();
        origins.sort_unstable();
        prop_assert!(origins.iter().copied().eq(0..rows.len()));
        let rows: Vec<_> = released.origins.iter().map(|origin| rows[*origin].clone()).collect();
        // Counted here once more, on columns alone.
        prop_assert!(classes(&rows, &released.table).iter().all(|class| class.len() >= k));
        let again = verify(&released.table, &schema, finder(), None).expect("verified");
        let wanted = Wanted { k: Some(k), ..Wanted::default() };
        prop_assert!(again.k >= k && again.problems(&wanted).is_empty());
        for (before, after) in rows.iter().zip(cells(&released.table)) {
            let age: Option<f64> = before[1].parse().ok();
            let covers = match (age, after[1].strip_prefix('[').and_then(|range| range.strip_suffix(']'))) {
                (None, _) => true,
                (Some(age), Some(range)) => {
                    let (low, high) = range.split_once('-').expect("a range");
                    low.parse::<f64>().unwrap() <= age && age <= high.parse::<f64>().unwrap()
                }
                (Some(age), None) => after[1] == "*" || after[1].parse::<f64>().ok() == Some(age),
            };
            prop_assert!(covers, "{before:?} {after:?}");
            prop_assert!(after[2].contains(&before[2]));
            prop_assert!(after[3] == before[3] || before[3].starts_with(&after[3]) || after[3] == "[2004-2004]");
            prop_assert_eq!(&after[4], &before[4]);
            prop_assert!(!after[5].contains("ana.ruiz"));
        }
        let loss = &released.measures.loss;
        prop_assert!((0.0..=1.0).contains(&loss.total));
        let unchanged = rows.iter().zip(cells(&released.table)).all(|(before, after)| before[1..4] == after[1..4]);
        // A person of several rows gets one set of values: that is no loss of values, but the rows change.
        let single = prepared.persons() == rows.len();
        if single {
            prop_assert_eq!(loss.columns == Some(0.0), unchanged);
        }
        prop_assert!(loss.by_column.values().chain(loss.by_type.values()).all(|loss| (0.0..=1.0).contains(loss)));
    }

    #[test]
    fn lambda_says_what_is_cut(rows in any_rows(), relaxed: bool) {
        let (table, schema) = (table(&NAMES, &rows), any_schema());
        let prepared = PreparedTable::new(&table, &schema, finder(), None).expect("prepared");
        prop_assume!(prepared.persons() >= 2);
        for (lambda, only_columns) in [(1.0, true), (0.0, false)] {
            let strategy = Strategy::Mondrian { lambda, relaxed };
            let measures = prepared.measure(&TableOptions { strategy, ..TableOptions::k_anonymity(2) }).expect("measured");
            let never = if only_columns { measures.cuts.texts } else { measures.cuts.columns };
            prop_assert_eq!(never, 0);
        }
    }

    #[test]
    fn the_order_of_rows_does_not_matter(
        (rows, shuffled) in any_rows().prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle())),
        strategy in any_strategy()
    ) {
        let schema = any_schema();
        let released = |rows: &[Vec<String>]| {
            let table = table(&NAMES, rows);
            let prepared = PreparedTable::new(&table, &schema, finder(), None).expect("prepared");
            if prepared.persons() < 2 {
                return BTreeMap::new();
            }
            let options = TableOptions { strategy, ..TableOptions::k_anonymity(2) };
            let released = prepared.protect(&options).expect("released");
            let mut all: BTreeMap<Vec<String>, usize> = BTreeMap::new();
            // Numbers of persons and who of equal ones goes where may differ: all else is the same.
            for row in cells(&released.table) {
                *all.entry(row[1..].to_vec()).or_default() += 1;
            }
            all
        };
        prop_assert_eq!(released(&rows), released(&shuffled));
    }
}
