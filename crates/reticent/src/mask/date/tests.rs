use proptest::prelude::*;

use super::*;

fn texts(surface: &str, context: &Context) -> Vec<String> {
    let rungs = Dates.rungs(surface, context).unwrap_or_default();
    rungs.iter().map(|rung| format!("{}: {}", rung.level, rung.text)).collect()
}

fn english() -> Context {
    Context { reference_year: Some(2024), ..Context::default() }
}

#[test]
fn reads_what_people_write() {
    for surface in [
        "2011-08-28",
        "28/08/2011",
        "8/28/2011",
        "28.8.11",
        "28 August 2011",
        "August 28th, 2011",
        "28 de agosto de 2011",
        "28,August,2011",
        "28-Aug-2011",
        "Aug. 28, 2011",
        "28th of August, 2011",
        "Sunday, August 28, 2011",
        "28 Aug '11",
        "Sun 28 Aug 2011",
    ] {
        let spanish = surface.contains("agosto");
        let context =
            Context { language: if spanish { Language::Spanish } else { Language::English }, ..english() };
        let month = if spanish { "month: agosto de 2011" } else { "month: August 2011" };
        let rungs = texts(surface, &context);
        assert_eq!(rungs.first(), Some(&format!("day: {surface}")));
        assert_eq!(rungs.get(1).map(String::as_str), Some(month), "{surface}");
        assert_eq!(rungs.get(2).map(String::as_str), Some("year: 2011"), "{surface}");
    }
}

#[test]
fn leaves_alone_what_is_not_a_date() {
    for surface in [
        "",
        "soon",
        "31/02/2011",
        "13/13/2011",
        "32 August 2011",
        "99:99",
        "0000",
        "9999",
        "1962 1965",
        "2010-09-",
        "version 2.1",
        "123456789012",
        "July 3, 1962 foo",
        "14.37",
        "Aug 28 2011 28",
        "the",
        "25:00",
        "June 31",
    ] {
        assert!(texts(surface, &english()).is_empty(), "{surface}");
    }
}

#[test]
fn a_list_says_each_thing_once() {
    for (surface, month, year) in [
        ("15, 17 and 24 January 1990", "January 1990", "1990"),
        ("6 March, 26 June and 9 October 2001", "March 2001, June 2001 and October 2001", "2001"),
        (
            "6 March 2000, 26 June 2000 and 9 October 2001",
            "March 2000, June 2000 and October 2001",
            "2000 and 2001",
        ),
        ("1 March – 27 April 1990", "March 1990 to April 1990", "1990"),
    ] {
        assert_eq!(texts(surface, &english())[1..3], [format!("month: {month}"), format!("year: {year}")]);
    }
    assert_eq!(texts("March, April and May 1989", &english())[1], "year: 1989");
    // The first is of the year before.
    assert!(texts("30 December, 31 December and 2 January 1990", &english()).is_empty());
}

#[test]
fn two_years_may_be_a_month() {
    let rungs = super::Dates.rungs("2005-06", &english()).expect("a date");
    assert_eq!((rungs[0].level.as_str(), rungs[1].text.as_str()), ("month", "2005 to 2006"));
}

#[test]
fn a_decade_without_its_century_stays_one() {
    assert_eq!(texts("early 90s", &english()), ["year: early 90s", "decade: the 90s", "kind: a date"]);
    assert_eq!(texts("late eighties", &english())[1], "decade: the 80s");
}

#[test]
fn a_day_with_its_times_is_a_day() {
    for surface in [
        "19 July 1996 at 9.30 a.m.",
        "19 July 1996, at about 9.30 a.m.",
        "9.30 a.m. on 19 July 1996",
        "11.12 a.m. and 11.36 a.m. on 19 July 1996",
        "19 July 1996 between 2 and 4 p.m.",
    ] {
        assert!(texts(surface, &english()).iter().any(|text| text == "year: 1996"), "{surface}");
    }
}

#[test]
fn two_figures_of_a_year_need_a_sure_century() {
    assert_eq!(texts("28.8.20", &english()), ["day: 28.8.20", "kind: a date"]);
    assert_eq!(texts("28.8.62", &english())[2], "year: 1962");
    assert_eq!(texts("28.8.62", &Context::default()), ["day: 28.8.62", "kind: a date"]);
    assert_eq!(texts("11-08-28", &english()), ["day: 11-08-28", "kind: a date"]);
}

#[test]
fn an_undecided_month_is_not_told() {
    assert_eq!(texts("03/04/2011", &english())[1], "year: 2011");
    assert_eq!(texts("04/04/2011", &english())[1], "month: April 2011");
    let spanish = Context { language: Language::Spanish, ..Context::default() };
    assert_eq!(texts("03/04/2011", &spanish)[1], "month: abril de 2011");
}

#[test]
fn date_times_are_told_by_their_date() {
    for surface in [
        "2011-08-28T14:37:00Z",
        "2011-08-28 14:37:05.123+02:00",
        "2011-08-28, 2:37:01 p.m.",
        "2011-08-28 at 09:30:00",
    ] {
        let rungs = texts(surface, &english());
        assert_eq!(
            rungs[..3],
            [format!("second: {surface}"), "day: 2011-08-28".into(), "month: August 2011".into()]
        );
    }
    assert_eq!(texts("14:37 on 28 August 2011", &english())[1], "day: 28 August 2011");
}

#[test]
fn times_get_coarser() {
    assert_eq!(
        texts("14:37:05", &english()),
        [
            "second: 14:37:05",
            "minute: 14:37",
            "hour: between 14:00 and 15:00",
            "part_of_day: the afternoon",
            "kind: a time of day"
        ]
    );
    assert_eq!(texts("2:37 p.m.", &english())[1], "hour: between 2 and 3 p.m.");
    assert_eq!(texts("11:05 PM", &english())[1], "hour: between 11 p.m. and midnight");
    // Which half of the day is not said.
    assert_eq!(texts("2:37", &english())[1..], ["hour: between 2:00 and 3:00", "kind: a time of day"]);
}

#[test]
fn periods_cover_both_ends() {
    assert_eq!(texts("1962-1965", &english())[1], "decade: the 1960s");
    assert_eq!(texts("1962–65", &english())[1], "decade: the 1960s");
    assert_eq!(texts("1968-1972", &english())[1], "decade: the 1960s to the 1970s");
    assert_eq!(texts("July 3–5, 1962", &english())[1], "month: July 1962");
    assert_eq!(texts("3-5 July 1962", &english())[1], "month: July 1962");
    assert_eq!(texts("July 3 to August 5, 1962", &english())[1], "month: July 1962 to August 1962");
    assert_eq!(texts("between 1 May and 30 June 1991", &english())[2], "year: in 1991");
    assert_eq!(texts("Between 1982 and 1994", &english())[1], "decade: between the 1980s and the 1990s");
    assert_eq!(texts("1999/2000", &english())[1], "decade: the 1990s to the 2000s");
    assert_eq!(texts("1996/97", &english())[1], "decade: the 1990s");
    assert_eq!(texts("5 or 6 December 1994", &english())[1], "month: December 1994");
    assert_eq!(texts("August and September 2004", &english())[1], "year: 2004");
    assert!(texts("December 3 to January 5, 1962", &english()).is_empty());
}

#[test]
fn lengths_of_time_are_told_as_such() {
    assert_eq!(texts("six months", &english()), ["month: six months", "kind: a period of time"]);
    assert_eq!(texts("3 years and 6 months", &english())[0], "month: 3 years and 6 months");
    for surface in ["months", "six", "six months ago", "six and months", "12345 days"] {
        assert!(texts(surface, &english()).is_empty(), "{surface}");
    }
}

#[test]
fn narrowed_dates_count_as_finer() {
    assert_eq!(
        texts("end of February 2011", &english())[..2],
        ["day: end of February 2011", "month: February 2011"]
    );
    assert_eq!(texts("early 1962", &english())[..2], ["month: early 1962", "year: 1962"]);
    assert_eq!(texts("mid-1960s", &english())[1], "decade: the 1960s");
    assert_eq!(texts("año 2004", &english())[1], "decade: the 2000s");
}

#[test]
fn other_languages_get_figures_only() {
    let other = Context { language: Language::Other, ..english() };
    assert_eq!(
        texts("28.08.2011", &other),
        ["day: 28.08.2011", "month: 2011-08", "year: 2011", "decade: 2010–2019", "century: 2001–2100"]
    );
}

/// Whether a rung's text, read back, holds the date.
fn covers(text: &str, date: jiff::civil::Date, language: Language) -> bool {
    let context =
        Context { language, date_order: Some(super::super::DateOrder::DayFirst), ..Context::default() };
    let Some(When::Date(moment)) = read::read(text, &context) else { return false };
    let year = i32::from(date.year());
    moment.day.is_none_or(|day| day.value == i32::from(date.day()))
        && moment.month.is_none_or(|month| month.value == i32::from(date.month()))
        && moment.year.is_none_or(|told| told.value == year)
        && moment.decade.is_none_or(|decade| (decade..decade + 10).contains(&year))
        && moment.century.is_none_or(|century| (century * 100 - 99..=century * 100).contains(&year))
}

proptest! {
    #[test]
    fn every_rung_is_true(year in 1000..=2999i16, month in 1..=12i8, day in 1..=28i8, format in 0..6usize) {
        let date = jiff::civil::date(year, month, day);
        let (format, language) = [
            ("%Y-%m-%d", Language::English), ("%B %d, %Y", Language::English), ("%d %b %Y", Language::Spanish),
            ("%d/%m/%Y", Language::Spanish), ("%d.%m.%Y", Language::English), ("%B %Y", Language::English),
        ][format];
        let context = Context { language, ..Context::default() };
        let rungs = Dates.rungs(&date.strftime(format).to_string(), &context).expect("a date");
        prop_assert!(rungs.len() >= 4);
        for rung in rungs.iter().filter(|rung| rung.level != "kind") {
            prop_assert!(covers(&rung.text, date, language), "{} {}", rung.level, rung.text);
        }
    }

    #[test]
    fn every_hour_is_true(hour in 0..24u32, minute in 0..60u32, half in any::<bool>()) {
        let text = if half {
            format!("{}:{minute:02} {}", (hour + 11) % 12 + 1, if hour < 12 { "a.m." } else { "pm" })
        } else {
            format!("{hour:02}:{minute:02}")
        };
        let rungs = Dates.rungs(&text, &Context::default()).expect("a time");
        let said = rungs.iter().find(|rung| rung.level == "hour").expect("an hour").text.clone();
        let first = said.strip_prefix("between ").and_then(|rest| rest.split(' ').next()).expect("a start");
        let start = match first {
            "midnight" => 0,
            "noon" => 12,
            figures => figures.split(':').next().and_then(|hour| hour.parse::<u32>().ok()).expect("figures"),
        };
        let modulus = if half && start != 0 { 12 } else { 24 };
        if !half && (10..=12).contains(&hour) {
            prop_assert_eq!(start % 12, hour % 12);
        } else {
            prop_assert_eq!(start % modulus, hour % modulus);
        }
    }
}
