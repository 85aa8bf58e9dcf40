//! What a trained labeller finds, as findings.

use reticent_text::label::Labeller;
use reticent_text::{Analyzer, Document, PartOfSpeech, SentenceSplitter, Tokenizer};

use crate::policy::Role;
use crate::protect::sha256;
use crate::{Detector, EntityType, Error, ErrorKind, Evidence, Finding};

/// Our types for what others call differently, so that one kind of thing has one column: CoNLL and
/// `OntoNotes`, i2b2, MEDDOCAN, the NCBI disease corpus.
const SAME_AS: &[(&str, &str)] = &[
    ("CALLE", "ADDRESS"),
    ("CENTRO_SALUD", "ORGANIZATION"),
    ("CITY", "LOCATION"),
    ("COMPOSITEMENTION", "DISEASE"),
    ("CORREO_ELECTRONICO", "EMAIL_ADDRESS"),
    ("COUNTRY", "LOCATION"),
    ("DATE", "DATE_TIME"),
    ("DEVICE", "DEVICE_ID"),
    ("DIREC_PROT_INTERNET", "IP_ADDRESS"),
    ("DISEASECLASS", "DISEASE"),
    ("DOCTOR", "PERSON"),
    ("EDAD_SUJETO_ASISTENCIA", "AGE"),
    ("EMAIL", "EMAIL_ADDRESS"),
    ("FAMILIARES_SUJETO_ASISTENCIA", "FAMILY"),
    ("FAX", "PHONE_NUMBER"),
    ("FECHAS", "DATE_TIME"),
    ("GPE", "LOCATION"),
    ("HOSPITAL", "ORGANIZATION"),
    ("IDENTIF_DISPOSITIVOS_NRSERIE", "DEVICE_ID"),
    ("IDENTIF_VEHICULOS_NRSERIE_PLACAS", "VEHICLE_PLATE"),
    ("IDNUM", "ID_NUMBER"),
    ("ID_ASEGURAMIENTO", "HEALTH_PLAN"),
    ("ID_CONTACTO_ASISTENCIAL", "ID_NUMBER"),
    ("ID_EMPLEO_PERSONAL_SANITARIO", "ID_NUMBER"),
    ("ID_SUJETO_ASISTENCIA", "MEDICAL_RECORD"),
    ("ID_TITULACION_PERSONAL_SANITARIO", "MEDICAL_LICENSE"),
    ("INSTITUCION", "ORGANIZATION"),
    ("LOC", "LOCATION"),
    ("LOCATION_OTHER", "LOCATION"),
    ("MEDICALRECORD", "MEDICAL_RECORD"),
    ("MISC", "NAME"),
    ("NOMBRE_PERSONAL_SANITARIO", "PERSON"),
    ("NOMBRE_SUJETO_ASISTENCIA", "PERSON"),
    ("NORP", "NRP"),
    ("NUMERO_BENEF_PLAN_SALUD", "HEALTH_PLAN"),
    ("NUMERO_FAX", "PHONE_NUMBER"),
    ("NUMERO_TELEFONO", "PHONE_NUMBER"),
    ("ORG", "ORGANIZATION"),
    ("PAIS", "LOCATION"),
    ("PATIENT", "PERSON"),
    ("PER", "PERSON"),
    ("PHONE", "PHONE_NUMBER"),
    ("PROFESION", "JOB_TITLE"),
    ("PROFESSION", "JOB_TITLE"),
    ("SEXO_SUJETO_ASISTENCIA", "SEX"),
    ("SPECIFICDISEASE", "DISEASE"),
    ("STATE", "LOCATION"),
    ("STREET", "ADDRESS"),
    ("TERRITORIO", "LOCATION"),
    ("TIME", "DATE_TIME"),
    ("URL_WEB", "URL"),
    ("ZIP", "POSTCODE"),
];

/// Finds what a labeller finds. The text is analysed in the labeller's language if it was not already.
pub(super) struct AttributeLabeller {
    name: String,
    sha256: String,
    labeller: Labeller,
    analyzer: Analyzer,
}

impl AttributeLabeller {
    pub(super) fn open(name: &str, bytes: Vec<u8>) -> Result<Self, Error> {
        let sha256 = sha256(&bytes);
        let labeller = Labeller::open(bytes)?;
        if let Some(kind) = labeller.kinds().iter().find(|kind| type_of(kind).is_none()) {
            let message = format!("the labeller's kind `{kind}` cannot be a type of entity");
            return Err(Error::new(ErrorKind::Detector, message)
                .with_hint("name kinds with letters, digits and underscores, and train it again"));
        }
        let analyzer =
            Analyzer::new(vec![Box::new(SentenceSplitter), Box::new(Tokenizer), Box::new(PartOfSpeech)])?;
        Ok(Self { name: name.to_owned(), sha256, labeller, analyzer })
    }

    /// The SHA-256 of its file.
    pub(super) fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The types that it can find.
    pub(super) fn types(&self) -> impl Iterator<Item = EntityType> + '_ {
        self.labeller.kinds().iter().filter_map(|kind| type_of(kind))
    }
}

impl Detector for AttributeLabeller {
    fn name(&self) -> &str {
        &self.name
    }

    fn detect(&self, document: &Document) -> Result<Vec<Finding>, Error> {
        let language = self.labeller.language();
        let labelled = match document.layers().filter(|layers| layers.language == language) {
            Some(layers) => self.labeller.label(document, layers),
            None => self.labeller.label(document, &self.analyzer.analyze(document, Some(language))?),
        };
        let findings = labelled.into_iter().filter_map(|labelled| {
            let mut entity_type = type_of(&self.labeller.kinds()[labelled.kind])?;
            // Some sets call a postal code a place, which it is; but it compares otherwise.
            let surface = labelled.span.of(document.text());
            if entity_type == EntityType::LOCATION && surface.bytes().all(|byte| byte.is_ascii_digit()) {
                entity_type = EntityType::POSTCODE;
            }
            Some(Finding {
                span: labelled.span,
                identifies: Role::usual(&entity_type).identifies(),
                entity_type,
                detector: self.name.clone(),
                score: labelled.probability,
                evidence: Evidence::Labelled,
            })
        });
        Ok(findings.collect())
    }
}

/// The type that a labeller's kind is in tables and policies.
fn type_of(kind: &str) -> Option<EntityType> {
    let name = kind.to_uppercase().replace(['-', ' '], "_");
    let same = SAME_AS.binary_search_by(|(other, _)| (*other).cmp(&name));
    EntityType::new(same.map_or(&name, |at| SAME_AS[at].1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_others_are_ours() {
        assert!(SAME_AS.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(type_of("NOMBRE_SUJETO_ASISTENCIA"), Some(EntityType::PERSON));
        assert_eq!(type_of("per"), Some(EntityType::PERSON));
        assert_eq!(type_of("SpecificDisease"), EntityType::new("DISEASE"));
        assert_eq!(type_of("LOCATION-OTHER"), Some(EntityType::LOCATION));
    }

    #[test]
    fn other_kinds_stay_as_they_are() {
        assert_eq!(type_of("TOWN"), EntityType::new("TOWN"));
        assert_eq!(type_of("¿"), None);
        assert_eq!(type_of("PERFORMANCE"), EntityType::new("PERFORMANCE"));
    }
}
