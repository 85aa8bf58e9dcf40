//! What the names of columns mean, in English, Spanish and German.

/// What a column is by its name. Each carries the word that told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A number or a code of one person.
    Identifier(&'static str),
    /// The same, with the type of entity that says it in texts.
    Named(&'static str, &'static str),
    /// What many know of a person, with the type of entity that may say it in texts.
    Quasi(&'static str, Option<&'static str>),
    /// What is nobody's business.
    Sensitive(&'static str),
    /// Prose.
    Text,
    /// Anything else.
    Unknown,
}

const SENSITIVE: &[&str] = &[
    "a1c",
    "bmi",
    "blutdruck",
    "charge",
    "charges",
    "cholesterol",
    "colesterol",
    "cost",
    "costs",
    "creatinine",
    "conviction",
    "credit",
    "debt",
    "deuda",
    "diagnose",
    "diagnosis",
    "diagnostico",
    "disability",
    "disease",
    "diastolic",
    "dosage",
    "dose",
    "drug",
    "einkommen",
    "enfermedad",
    "gehalt",
    "glucosa",
    "glucose",
    "hba1c",
    "hemoglobin",
    "haemoglobin",
    "hiv",
    "icd",
    "income",
    "ingresos",
    "kosten",
    "krankheit",
    "medication",
    "medicamento",
    "medikament",
    "renta",
    "salario",
    "salary",
    "score",
    "schulden",
    "sueldo",
    "symptom",
    "systolic",
    "treatment",
    "tratamiento",
    "vermogen",
    "wage",
    "wages",
];

const IDENTIFIERS: &[&str] = &[
    "account",
    "cuenta",
    "dni",
    "fingerprint",
    "guid",
    "handle",
    "iban",
    "id",
    "identificador",
    "identifier",
    "ids",
    "kennung",
    "konto",
    "login",
    "matricula",
    "mrn",
    "nhs",
    "nie",
    "nif",
    "passport",
    "pasaporte",
    "plate",
    "ssn",
    "user",
    "userid",
    "username",
    "usuario",
    "uuid",
];

const NAMED: &[(&str, &str)] = &[
    ("adresse", "LOCATION"),
    ("address", "LOCATION"),
    ("anschrift", "LOCATION"),
    ("apellido", "PERSON"),
    ("apellidos", "PERSON"),
    ("calle", "LOCATION"),
    ("correo", "EMAIL_ADDRESS"),
    ("direccion", "LOCATION"),
    ("email", "EMAIL_ADDRESS"),
    ("firstname", "PERSON"),
    ("fullname", "PERSON"),
    ("handy", "PHONE_NUMBER"),
    ("lastname", "PERSON"),
    ("mail", "EMAIL_ADDRESS"),
    ("mobile", "PHONE_NUMBER"),
    ("movil", "PHONE_NUMBER"),
    ("nachname", "PERSON"),
    ("name", "PERSON"),
    ("nombre", "PERSON"),
    ("phone", "PHONE_NUMBER"),
    ("strasse", "LOCATION"),
    ("street", "LOCATION"),
    ("surname", "PERSON"),
    ("telefon", "PHONE_NUMBER"),
    ("telefono", "PHONE_NUMBER"),
    ("telephone", "PHONE_NUMBER"),
    ("vorname", "PERSON"),
];

const QUASI: &[(&str, Option<&str>)] = &[
    ("age", Some("AGE")),
    ("alter", Some("AGE")),
    ("edad", Some("AGE")),
    ("birthdate", Some("DATE_TIME")),
    ("birthday", Some("DATE_TIME")),
    ("city", Some("LOCATION")),
    ("ciudad", Some("LOCATION")),
    ("stadt", Some("LOCATION")),
    ("ort", Some("LOCATION")),
    ("town", Some("LOCATION")),
    ("country", Some("LOCATION")),
    ("county", Some("LOCATION")),
    ("pais", Some("LOCATION")),
    ("land", Some("LOCATION")),
    ("provincia", Some("LOCATION")),
    ("region", Some("LOCATION")),
    ("state", Some("LOCATION")),
    ("location", Some("LOCATION")),
    ("cp", Some("POSTCODE")),
    ("plz", Some("POSTCODE")),
    ("postal", Some("POSTCODE")),
    ("postcode", Some("POSTCODE")),
    ("zip", Some("POSTCODE")),
    ("zipcode", Some("POSTCODE")),
    ("admission", Some("DATE_TIME")),
    ("birth", Some("DATE_TIME")),
    ("born", Some("DATE_TIME")),
    ("date", Some("DATE_TIME")),
    ("datum", Some("DATE_TIME")),
    ("discharge", Some("DATE_TIME")),
    ("dob", Some("DATE_TIME")),
    ("fecha", Some("DATE_TIME")),
    ("geburt", Some("DATE_TIME")),
    ("geburtsdatum", Some("DATE_TIME")),
    ("nacimiento", Some("DATE_TIME")),
    ("beruf", Some("JOB_TITLE")),
    ("job", Some("JOB_TITLE")),
    ("occupation", Some("JOB_TITLE")),
    ("ocupacion", Some("JOB_TITLE")),
    ("profesion", Some("JOB_TITLE")),
    ("profession", Some("JOB_TITLE")),
    ("company", Some("ORGANIZATION")),
    ("employer", Some("ORGANIZATION")),
    ("empresa", Some("ORGANIZATION")),
    ("firma", Some("ORGANIZATION")),
    ("school", Some("ORGANIZATION")),
    ("ethnicity", Some("NRP")),
    ("nacionalidad", Some("NRP")),
    ("nationality", Some("NRP")),
    ("race", Some("NRP")),
    ("religion", Some("NRP")),
    ("staatsangehorigkeit", Some("NRP")),
    ("bildung", None),
    ("degree", None),
    ("education", None),
    ("estudios", None),
    ("family", None),
    ("familienstand", None),
    ("gender", None),
    ("genero", None),
    ("geschlecht", None),
    ("height", None),
    ("language", None),
    ("marital", None),
    ("relationship", None),
    ("sex", None),
    ("sexo", None),
    ("workclass", None),
    ("year", None),
];

const TEXTS: &[&str] = &[
    "bemerkung",
    "comment",
    "comments",
    "comentario",
    "description",
    "freitext",
    "kommentar",
    "message",
    "mensaje",
    "note",
    "notes",
    "notas",
    "notiz",
    "observaciones",
    "post",
    "remarks",
    "report",
    "review",
    "text",
    "texto",
    "tweet",
];

/// What a column of that name is.
pub(super) fn meaning(name: &str) -> Meaning {
    let words = words(name);
    let has = |word: &&&str| words.iter().any(|own| own == *word);
    if let Some(word) = SENSITIVE.iter().find(has) {
        return Meaning::Sensitive(word);
    }
    // A name of a place or a firm is no name of a person: what it is the name of says more.
    if let Some((word, entity)) = QUASI.iter().find(|(word, _)| words.iter().any(|own| own == word))
        && !words.iter().any(|own| IDENTIFIERS.contains(&own.as_str()))
    {
        return Meaning::Quasi(word, *entity);
    }
    if let Some(word) = IDENTIFIERS.iter().find(has) {
        return Meaning::Identifier(word);
    }
    if let Some((word, entity)) = NAMED.iter().find(|(word, _)| words.iter().any(|own| own == word)) {
        return Meaning::Named(word, entity);
    }
    if TEXTS.iter().any(|word| words.iter().any(|own| own == word)) {
        Meaning::Text
    } else {
        Meaning::Unknown
    }
}

/// Whether a column of that name holds days of birth.
pub(super) fn is_birth(name: &str) -> bool {
    const BIRTH: [&str; 9] =
        ["birth", "birthdate", "birthday", "born", "dob", "geburt", "geburtsdatum", "nacimiento", "geboren"];
    words(name).iter().any(|word| BIRTH.contains(&word.as_str()))
}

/// The words of a name, in plain small letters: `fechaNacimiento` has two.
fn words(name: &str) -> Vec<String> {
    use unicode_normalization::UnicodeNormalization as _;
    let mut words = vec![String::new()];
    let mut after_small = false;
    for c in name.nfd().filter(|c| !unicode_normalization::char::is_combining_mark(*c)) {
        if !c.is_alphanumeric() || (after_small && c.is_uppercase()) {
            words.push(String::new());
        }
        after_small = c.is_lowercase();
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    // `icd10` is an `icd`.
    let bare = words.iter().map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned());
    let bare: Vec<String> = bare.filter(|word| word.len() > 2 && !words.contains(word)).collect();
    words.extend(bare);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_columns_are() {
        for (name, expected) in [
            ("Age", Meaning::Quasi("age", Some("AGE"))),
            ("native-country", Meaning::Quasi("country", Some("LOCATION"))),
            ("fechaNacimiento", Meaning::Quasi("fecha", Some("DATE_TIME"))),
            ("Teléfono", Meaning::Named("telefono", "PHONE_NUMBER")),
            ("patient_id", Meaning::Identifier("id")),
            ("city_id", Meaning::Identifier("id")),
            ("company name", Meaning::Quasi("company", Some("ORGANIZATION"))),
            ("salary-class", Meaning::Sensitive("salary")),
            ("HbA1c", Meaning::Sensitive("a1c")),
            ("icd10", Meaning::Sensitive("icd")),
            ("Comments", Meaning::Text),
            ("fnlwgt", Meaning::Unknown),
            ("wageningen", Meaning::Unknown),
            ("average", Meaning::Unknown),
            ("", Meaning::Unknown),
        ] {
            assert_eq!(meaning(name), expected, "{name}");
        }
    }
}
