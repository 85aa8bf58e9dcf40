//! What labellers call things, in our types.

use crate::EntityType;

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

/// The type that a labeller's kind is in tables and policies.
pub(super) fn type_of(kind: &str) -> Option<EntityType> {
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
