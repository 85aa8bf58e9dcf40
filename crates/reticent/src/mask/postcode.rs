//! Postal codes: `SW1A 1AA`, `SW1A 1`, `SW1A`, `SW`; `10012-1234`, `10012`, `100**`, `1****`;
//! `28035`, `28***`, `Madrid`.

use super::{Context, Generalizer, Language, Rung};
use crate::EntityType;

/// Postal codes of the United Kingdom, the United States, Spain, Canada and the Netherlands, and
/// codes of four to six digits of other countries.
pub struct Postcodes;

/// Three-digit areas of at most 20,000 people by the census of 2000, which 45 CFR 164.514(b)(2)(i)(B)
/// (HIPAA, safe harbor) has changed to 000. The list is in the Department of Health and Human
/// Services' "Guidance Regarding Methods for De-identification of Protected Health Information"
/// (26 November 2012), question on ZIP codes.
const SMALL_AREAS: [&str; 17] = [
    "036", "059", "063", "102", "203", "556", "692", "790", "821", "823", "830", "831", "878", "879", "884",
    "890", "893",
];

/// The provinces of Spain by the first two digits of their codes, from 01.
const PROVINCES: [&str; 52] = [
    "Álava",
    "Albacete",
    "Alicante",
    "Almería",
    "Ávila",
    "Badajoz",
    "Baleares",
    "Barcelona",
    "Burgos",
    "Cáceres",
    "Cádiz",
    "Castellón",
    "Ciudad Real",
    "Córdoba",
    "A Coruña",
    "Cuenca",
    "Girona",
    "Granada",
    "Guadalajara",
    "Gipuzkoa",
    "Huelva",
    "Huesca",
    "Jaén",
    "León",
    "Lleida",
    "La Rioja",
    "Lugo",
    "Madrid",
    "Málaga",
    "Murcia",
    "Navarra",
    "Ourense",
    "Asturias",
    "Palencia",
    "Las Palmas",
    "Pontevedra",
    "Salamanca",
    "Santa Cruz de Tenerife",
    "Cantabria",
    "Segovia",
    "Sevilla",
    "Soria",
    "Tarragona",
    "Teruel",
    "Toledo",
    "Valencia",
    "Valladolid",
    "Bizkaia",
    "Zamora",
    "Zaragoza",
    "Ceuta",
    "Melilla",
];

impl Generalizer for Postcodes {
    fn name(&self) -> &'static str {
        "postcode"
    }

    fn types(&self) -> &[EntityType] {
        const { &[EntityType::POSTCODE] }
    }

    fn levels(&self) -> &'static [&'static str] {
        &["full", "five_digits", "sector", "district", "three_digits", "area", "province", "kind"]
    }

    fn rungs(&self, surface: &str, context: &Context) -> Option<Vec<Rung>> {
        let code = surface.trim();
        // `A1B 2C3`: `a` a letter, `0` a digit, all else as it is.
        let shape: String = code
            .chars()
            .map(|c| match c {
                'A'..='Z' | 'a'..='z' => 'a',
                '0'..='9' => '0',
                other => other,
            })
            .collect();
        let mut rungs = vec![Rung::new("full", surface)];
        rungs.extend(match shape.as_str() {
            "00000" if context.language == Language::Spanish => spain(code)?,
            "00000" if context.language == Language::English => united_states(code),
            "00000-0000" => {
                let mut rungs = vec![Rung::new("five_digits", &code[..5])];
                rungs.extend(united_states(&code[..5]));
                rungs
            }
            "a0a 0a0" | "a0a0a0" => vec![Rung::new("district", &code[..3]), Rung::new("area", &code[..1])],
            "0000 aa" | "0000aa" => vec![Rung::new("district", &code[..4]), area(&code[..4])],
            "0000" | "00000" | "000000" => vec![area(code)],
            _ => united_kingdom(code, &shape)?,
        });
        match context.language {
            Language::English => rungs.push(Rung::new("kind", "a postcode")),
            Language::Spanish => rungs.push(Rung::new("kind", "un código postal")),
            Language::Other => {}
        }
        Some(rungs)
    }
}

/// The first two digits, the others covered.
fn area(digits: &str) -> Rung {
    Rung::new("area", format!("{}{}", &digits[..2], "*".repeat(digits.len() - 2)))
}

fn united_states(five: &str) -> Vec<Rung> {
    let three = if SMALL_AREAS.contains(&&five[..3]) { "000" } else { &five[..3] };
    let mut rungs = vec![Rung::new("three_digits", format!("{three}**"))];
    // One digit would tell more than `000` does.
    if three != "000" {
        rungs.push(Rung::new("area", format!("{}****", &five[..1])));
    }
    rungs
}

fn spain(code: &str) -> Option<Vec<Rung>> {
    let province = PROVINCES.get(code[..2].parse::<usize>().ok()?.checked_sub(1)?)?;
    Some(vec![area(code), Rung::new("province", *province)])
}

fn united_kingdom(code: &str, shape: &str) -> Option<Vec<Rung>> {
    let outward = shape.strip_suffix("0aa")?.trim_end();
    if !["a0", "a00", "aa0", "aa00", "a0a", "aa0a"].contains(&outward) {
        return None;
    }
    let district = &code[..outward.len()];
    let letters = outward.find('0')?;
    Some(vec![
        Rung::new("sector", format!("{district} {}", &code[code.len() - 3..code.len() - 2])),
        Rung::new("district", district),
        Rung::new("area", &code[..letters]),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(surface: &str, language: Language) -> Vec<String> {
        let context = Context { language, ..Context::default() };
        Postcodes
            .rungs(surface, &context)
            .unwrap_or_default()
            .into_iter()
            .skip(1)
            .map(|rung| rung.text)
            .collect()
    }

    #[test]
    fn knows_the_notations() {
        assert_eq!(texts("SW1A 1AA", Language::English), ["SW1A 1", "SW1A", "SW", "a postcode"]);
        assert_eq!(texts("M11AE", Language::English)[..3], ["M1 1", "M1", "M"]);
        assert_eq!(texts("10012-1234", Language::English)[..3], ["10012", "100**", "1****"]);
        assert_eq!(texts("03601", Language::English), ["000**", "a postcode"]);
        assert_eq!(texts("28035", Language::Spanish), ["28***", "Madrid", "un código postal"]);
        assert_eq!(texts("K1A 0B1", Language::English)[..2], ["K1A", "K"]);
        assert_eq!(texts("1234 AB", Language::Other), ["1234", "12**"]);
    }

    #[test]
    fn leaves_alone_what_is_no_postcode() {
        for surface in ["", "99999", "00000", "1", "1234567", "AAAA 1AA", "ñ0a 0a0", "SW1A"] {
            assert!(texts(surface, Language::Spanish).is_empty(), "{surface}");
        }
    }
}
