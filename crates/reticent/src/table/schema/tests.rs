use super::*;
use crate::table::{Format, ReadOptions, Table, read};

fn error(toml: &str) -> String {
    Schema::from_toml(toml).unwrap_err().to_string()
}

fn one(column: &str) -> String {
    format!("columns = [{{ name = \"age\", {column} }}]")
}

fn table(csv: &str) -> Table {
    read(csv.as_bytes(), &ReadOptions::new(Format::Csv)).unwrap().0
}

const PERSONS: &str = r#"
    missing = ["?"]
    entities = ["PERSON", "AGE", "SIGN"]
    [[terms]]
    regex = "(?i)aries|leo"
    type = "SIGN"
    [protect]
    k = 2
    lambda = 0.5
    method = "gdf"
    cut = "relaxed"
    wording = "paper"
    [[columns]]
    name = "id"
    role = "identifier"
    [[columns]]
    name = "age"
    role = "quasi-identifier"
    kind = "number"
    hierarchy = { intervals = [5, 10, 20] }
    weight = 2
    [[columns]]
    name = "city"
    role = "quasi_identifier"
    hierarchy = { file = "places.csv" }
    entities = ["LOCATION"]
    [[columns]]
    name = "income"
    role = "sensitive"
    kind = "ordered"
    order = ["low", "high"]
    [[columns]]
    name = "born"
    role = "quasi-identifier"
    kind = "date"
    format = "%d,%B,%Y"
    hierarchy = "calendar"
    [[columns]]
    name = "text"
    role = "text"
"#;

fn persons() -> Schema {
    Schema::from_toml_with(PERSONS, |path| {
        assert_eq!(path, "places.csv");
        Ok(b"Bath;England;Europe\nYork;England;Europe\nLyon;France;Europe\n".to_vec())
    })
    .unwrap()
}

#[test]
fn reads_everything_a_schema_can_say() {
    let schema = persons();
    assert_eq!(schema.columns().len(), 6);
    let age = schema.column("age").unwrap();
    assert_eq!((age.weight, &age.hierarchy), (2.0, &Some(Hierarchy::Intervals(vec![5.0, 10.0, 20.0]))));
    let Some(Hierarchy::Levels(levels)) = &schema.column("city").unwrap().hierarchy else { panic!("levels") };
    assert_eq!(levels[2], ["Lyon", "France", "Europe"]);
    assert_eq!(schema.column("born").unwrap().hierarchy, None);
    assert_eq!(schema.parameters().method, Some(Partitioning::Gdf));
    assert_eq!(schema.terms().len(), 1);
    assert_eq!(schema.missing(), ["?"]);
}

#[test]
fn names_the_column_that_is_wrong() {
    for (column, expected) in [
        ("role = 'quasi-identifier', weight = 0", "the column `age` has a weight that is not positive"),
        ("role = 'quasi-identifier', weight = nan", "the column `age` has a weight that is not positive"),
        ("role = 'quasi-identifier', entities = ['AGES']", "column `age`: no detector finds the type `AGES`"),
        ("role = 'quasi-identifier', kind = 'ordered'", "the column `age` is ordered but has no `order`"),
        (
            "role = 'sensitive', kind = 'ordered', order = ['a', 'b', 'a']",
            "the column `age` has a duplicate value in its order, at position 3",
        ),
        (
            "role = 'sensitive', kind = 'number', order = ['a']",
            "the column `age` has an `order`, which requires the kind ordered",
        ),
        (
            "role = 'sensitive', kind = 'number', hierarchy = { intervals = [10, 5] }",
            "the column `age` has intervals that are not increasing",
        ),
        (
            "role = 'sensitive', kind = 'number', hierarchy = { intervals = [5, 12] }",
            "the column `age` has intervals that are not nested",
        ),
        (
            "role = 'sensitive', hierarchy = { intervals = [5] }",
            "the column `age` has intervals, which require the kind number",
        ),
        (
            "role = 'sensitive', hierarchy = 'calendar'",
            "the column `age` has the hierarchy calendar, which requires the kind date",
        ),
        (
            "role = 'sensitive', kind = 'date', format = '%Y'",
            "the column `age` has a date format without day, month and year",
        ),
        (
            "role = 'sensitive', kind = 'date', hierarchy = 'taxonomy'",
            "the column `age` is a date, whose hierarchy must be the calendar",
        ),
        (
            "role = 'text', kind = 'number'",
            "the column `age` is a text, which cannot have a kind, hierarchy or entities",
        ),
        (
            "role = 'sensitive', hierarchy = { levels = [['a', 'b'], ['a', 'c']] }",
            "the hierarchy of the column `age` has a duplicate value in rows 1 and 2",
        ),
        (
            "role = 'sensitive', hierarchy = { levels = [['a', 'x', 'y'], ['b', 'x', 'z']] }",
            "the hierarchy of the column `age` assigns the same label of level 1 to different parents in rows 1 and 2",
        ),
        (
            "role = 'sensitive', hierarchy = { levels = [['a', 'b'], ['c']] }",
            "the hierarchy of the column `age` has 1 levels in row 2, and 2 in the first",
        ),
        ("role = 'insensitive'", "no column is a quasi-identifier or a text"),
    ] {
        assert_eq!(error(&one(column)), expected);
    }
    assert_eq!(error(""), "the schema has no columns");
    assert_eq!(
        error("columns = [{ name = 'a', role = 'text' }, { name = 'a', role = 'identifier' }]"),
        "the column `a` is an identifier and a text at once"
    );
}

#[test]
fn a_slip_gets_a_hint() {
    for (toml, hint) in [
        (one("role = 'quasi'"), None),
        (one("role = 'identifer'"), Some("did you mean `identifier`?")),
        ("colums = []".to_owned(), Some("did you mean `columns`?")),
        (one("role = 'text', wieght = 1"), Some("did you mean `weight`?")),
        (one("role = 'quasi-identifier', entities = ['AGES']"), Some("did you mean `AGE`?")),
    ] {
        let error = Schema::from_toml(&toml).unwrap_err();
        assert!(hint.is_none_or(|hint| error.hint() == Some(hint)), "{error} {:?}", error.hint());
    }
    for protect in ["k = 0", "l = 0.5", "t = 2", "lambda = -1", "diversity = 'entropy'"] {
        let toml = format!("columns = [{{ name = 'a', role = 'text' }}]\n[protect]\n{protect}");
        assert!(Schema::from_toml(&toml).is_err(), "{protect}");
    }
}

#[test]
fn a_table_that_fits_is_let_through() {
    let csv = "id,age,city,income,born,text\n1,36,Bath,low,\"14,May,2004\",Hello.\n2,24,,high,,\n";
    persons().check(&table(csv)).unwrap();
}

#[test]
fn tells_column_and_row_but_no_value() {
    let header = "id,age,city,income,born,text\n1,36,Bath,low,\"14,May,2004\",x\n";
    for (rows, expected) in [
        ("2,SECRET,Bath,low,,x\n", "row 2, column `age`: the value is not a number"),
        ("2,36,SECRET,low,,x\n", "row 2, column `city`: the value is not in the column's hierarchy"),
        ("2,36,Bath,SECRET,,x\n", "row 2, column `income`: the value is not in the column's `order`"),
        ("2,36,Bath,low,SECRET,x\n", "row 2, column `born`: the value is not a recognized date"),
        (
            ",36,Bath,low,,x\n",
            "row 2, column `id`: the identifier is missing, so the row cannot be assigned to a person",
        ),
    ] {
        let error = persons().check(&table(&format!("{header}{rows}"))).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(!error.hint().unwrap_or_default().contains("SECRET"));
    }
    for (csv, expected) in [
        (
            "id,age,city,income,born\n1,36,Bath,low,\n",
            "the table has no column `text`, which the schema declares as a text",
        ),
        (
            "id,age,city,income,born,text,ssn\n1,36,Bath,low,2004,x,7\n",
            "the schema has no rule for the column `ssn`",
        ),
        (
            "id,age,city,income,born,text\n1,,Bath,low,\"14,May,2004\",x\n",
            "the column `age` has no value in any row",
        ),
        ("id,age,city,income,born,text\n", "the table has no rows"),
    ] {
        assert_eq!(persons().check(&table(csv)).unwrap_err().to_string(), expected, "{csv}");
    }
}

#[test]
fn reads_what_extract_writes() {
    let toml = r#"
        format = "reticent-schema/1"
        row_id = "id"
        separator = " | "
        documents = 2
        [[columns]]
        name = "DATE_TIME"
        type = "DATE_TIME"
        role = "quasi_identifier"
        kind = "date"
        documents = 2
        most_values = 2
        [[columns]]
        name = "WARD"
        type = "WARD"
        role = "confidential"
        kind = "category"
        documents = 1
        most_values = 1
    "#;
    let schema = Schema::from_toml(toml).unwrap();
    assert_eq!(schema.column("id").unwrap().role, Role::Identifier);
    assert_eq!(schema.column("WARD").unwrap().role, Role::Sensitive);
    assert_eq!(schema.values(r"1962 | a\|b"), ["1962", "a|b"]);
    schema.check(&table("id,DATE_TIME,WARD\nx,1962 | 2024-03,B\ny,1960s,\n")).unwrap();
    // What could not be read for sure is suppressed, so that whatever `extract` writes can be protected.
    schema.check(&table("id,DATE_TIME,WARD\nx,1962 | May,B\n")).unwrap();
    assert!(Schema::from_toml(&toml.replace("schema/1", "schema/9")).is_err());
}
