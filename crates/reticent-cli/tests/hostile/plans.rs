//! Plans that were edited to protect less than their policy.

use serde_json::{Value, json};

use crate::common::{Folder, Run};

const LETTER: &str = "Dr. Mary Linehan was born on 3 July 1962. Mary Linehan lives in Leeds. \
    Write to m.l@example.org or call +44 7911 123456.\n";

/// A folder with the letter and its plan.
fn planned() -> (Folder, Value) {
    let folder = Folder::new();
    folder.write("letter.txt", LETTER);
    let run = folder.run(&["plan", "letter.txt", "-o", "plan.json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let plan = serde_json::from_str(&folder.read("plan.json")).unwrap();
    (folder, plan)
}

fn entity<'p>(plan: &'p mut Value, kind: &str) -> &'p mut Value {
    plan["entities"].as_array_mut().unwrap().iter_mut().find(|entity| entity["type"] == kind).unwrap()
}

fn apply(folder: &Folder, plan: &Value) -> Run {
    folder.write("edited.json", plan.to_string());
    folder.run(&["apply", "letter.txt", "--plan", "edited.json", "--report", "report.json"])
}

fn without_edits(entity: &mut Value) {
    for mention in entity["mentions"].as_array_mut().unwrap() {
        mention.as_object_mut().unwrap().remove("edit");
    }
}

/// Refused without approval, with the entity and the deviation named and nothing released; with approval released
/// and named in each report.
fn needs_approval(folder: &Folder, plan: &mut Value, kind: &str, deviation: &str, stays: &str) {
    let run = apply(folder, plan);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
    assert!(run.err.contains(deviation) && run.err.contains("approved"), "{}", run.err);
    assert!(!run.err.contains(stays), "{}", run.err);
    entity(plan, kind)["review"] = "approved".into();
    let run = apply(folder, plan);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains(stays), "{}", run.out);
    let report: Value = serde_json::from_str(&folder.read("report.json")).unwrap();
    let named = &report["documents"][0]["approved_deviations"];
    assert_eq!(named[0]["deviation"].as_str().unwrap().replace('_', " "), deviation, "{named}");
    assert!(named[0]["mentions"].as_u64().unwrap() >= 1 && !report.to_string().contains(stays), "{report}");
    for name in ["report.txt", "report.html"] {
        let run = folder.run(&["apply", "letter.txt", "--plan", "edited.json", "--report", name]);
        assert_eq!(run.code, 0, "{}", run.err);
        let report = folder.read(name).to_lowercase();
        assert!(
            report.contains("approved deviation from the policy") && report.contains(deviation),
            "{report}"
        );
    }
}

#[test]
fn retyping_an_identifier_needs_approval() {
    let (folder, mut plan) = planned();
    let mail = entity(&mut plan, "EMAIL_ADDRESS");
    mail["type"] = "LAW".into();
    mail["mask"] = json!({"operator": "keep"});
    mail["level"] = "as_written".into();
    without_edits(mail);
    needs_approval(&folder, &mut plan, "LAW", "retyped", "m.l@example.org");
}

#[test]
fn a_finer_level_needs_approval() {
    let (folder, mut plan) = planned();
    let date = entity(&mut plan, "DATE_TIME");
    date["level"] = "month".into();
    without_edits(date);
    needs_approval(&folder, &mut plan, "DATE_TIME", "finer level", "July 1962");
    let (folder, mut plan) = planned();
    let date = entity(&mut plan, "DATE_TIME");
    date["level"] = "day".into();
    without_edits(date);
    needs_approval(&folder, &mut plan, "DATE_TIME", "finer level", "3 July 1962");
}

#[test]
fn keeping_an_identifier_needs_approval() {
    let (folder, mut plan) = planned();
    entity(&mut plan, "EMAIL_ADDRESS")["mask"] = json!({"operator": "keep"});
    needs_approval(&folder, &mut plan, "EMAIL_ADDRESS", "kept", "m.l@example.org");
}

#[test]
fn shrinking_a_span_needs_approval() {
    let (folder, mut plan) = planned();
    let phone = entity(&mut plan, "PHONE_NUMBER");
    let mention = &mut phone["mentions"][0];
    let start = mention["start"].as_u64().unwrap();
    mention["end"] = (start + 8).into();
    mention["edit"]["end"] = (start + 8).into();
    needs_approval(&folder, &mut plan, "PHONE_NUMBER", "removed", "123456");
}

#[test]
fn removing_a_mention_needs_approval() {
    let (folder, mut plan) = planned();
    let person = entity(&mut plan, "PERSON");
    assert!(person["mentions"].as_array().unwrap().len() > 1, "{person}");
    person["mentions"].as_array_mut().unwrap().pop();
    needs_approval(&folder, &mut plan, "PERSON", "removed", "Mary Linehan lives");
}

#[test]
fn removing_an_entity_is_refused() {
    let (folder, mut plan) = planned();
    plan["entities"].as_array_mut().unwrap().retain(|entity| entity["type"] != "EMAIL_ADDRESS");
    let run = apply(&folder, &plan);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("EMAIL_ADDRESS: removed"), "{}", run.err);
}

#[test]
fn a_review_that_the_policy_requires_cannot_be_edited_away() {
    let folder = Folder::new();
    folder.write("letter.txt", LETTER);
    folder.write("reticent.toml", "[review]\nrequire_types = [\"EMAIL_ADDRESS\"]\n");
    assert_eq!(folder.run(&["plan", "letter.txt", "-o", "plan.json"]).code, 1);
    let mut plan: Value = serde_json::from_str(&folder.read("plan.json")).unwrap();
    entity(&mut plan, "EMAIL_ADDRESS")["review"] = "automatic".into();
    let run = apply(&folder, &plan);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("not reviewed"), "{}", run.err);
    entity(&mut plan, "EMAIL_ADDRESS")["review"] = "approved".into();
    let run = apply(&folder, &plan);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!run.out.contains("example.org"), "{}", run.out);
}

#[test]
fn a_replacement_that_restates_the_original_is_refused_though_approved() {
    for replacement in [
        "m.l@example.org",
        "M.L＠EXAMPLE.ORG",
        "m\u{200b}.l@exam\u{ad}ple.org",
        "someone at example dot org",
        "org.example, l. m.",
        "m&#46;l&#64;example&#46;org",
    ] {
        let (folder, mut plan) = planned();
        let mail = entity(&mut plan, "EMAIL_ADDRESS");
        mail["review"] = "approved".into();
        mail["mentions"][0]["edit"]["replacement"] = replacement.into();
        let run = apply(&folder, &plan);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{replacement}: {}", run.err);
        assert!(run.err.contains("restates"), "{replacement}: {}", run.err);

        // The independent check sees it too.
        let edit = &plan["entities"]
            .as_array()
            .unwrap()
            .iter()
            .find(|e| e["type"] == "EMAIL_ADDRESS")
            .unwrap()["mentions"][0]["edit"];
        let place = |key: &str| usize::try_from(edit[key].as_u64().unwrap()).unwrap();
        let (start, end) = (place("start"), place("end"));
        let mut plan = plan.clone();
        plan["entities"].as_array_mut().unwrap().retain(|entity| entity["type"] == "EMAIL_ADDRESS");
        folder.write("edited.json", plan.to_string());
        folder.write("out.txt", format!("{}{replacement}{}", &LETTER[..start], &LETTER[end..]));
        let args = ["verify", "out.txt", "--original", "letter.txt", "--plan", "edited.json"];
        let run = folder.run(&args);
        assert_eq!(run.code, 1, "{replacement}: {}", run.err);
        assert!(run.out.contains("restates the original"), "{replacement}: {}", run.out);
    }
}

#[test]
fn a_long_replacement_is_refused() {
    let (folder, mut plan) = planned();
    let mail = entity(&mut plan, "EMAIL_ADDRESS");
    mail["review"] = "approved".into();
    mail["mentions"][0]["edit"]["replacement"] = "somewhere ".repeat(21).into();
    let run = apply(&folder, &plan);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("200 characters"), "{}", run.err);
}

#[test]
fn a_replacement_of_a_reviewer_needs_approval() {
    let (folder, mut plan) = planned();
    entity(&mut plan, "EMAIL_ADDRESS")["mentions"][0]["edit"]["replacement"] = "the usual place".into();
    needs_approval(&folder, &mut plan, "EMAIL_ADDRESS", "rewritten", "the usual place");
}

#[test]
fn leaves_an_unedited_plan_alone() {
    for (name, text) in [
        ("letter.txt", LETTER),
        (
            "letter.txt",
            "Jos\u{e9} Ru\u{ad}iz, b. ０３/０７/1962, ana&#64;example.org, paid $1,200 at age 45.\n",
        ),
        ("letter.txt", "On 3 July 1962 and on 4 July 1962, Mr Hale of Hale Ltd met Ms. Ortega in Oslo.\n"),
    ] {
        let folder = Folder::new();
        folder.write(name, text);
        assert_eq!(folder.run(&["plan", name, "-o", "plan.json"]).code, 0);
        let applied = folder.run(&["apply", name, "--plan", "plan.json", "--report", "report.json"]);
        let protected = folder.run(&["protect", name, "-o", "-"]);
        assert_eq!((applied.code, protected.code), (0, 0), "{}{}", applied.err, protected.err);
        assert_eq!(applied.out, protected.out);
        let report: Value = serde_json::from_str(&folder.read("report.json")).unwrap();
        assert_eq!(report["documents"][0]["approved_deviations"], json!([]));
    }
}

#[test]
fn leaves_a_coarser_plan_alone() {
    let (folder, mut plan) = planned();
    let date = entity(&mut plan, "DATE_TIME");
    date["level"] = "decade".into();
    without_edits(date);
    let mail = entity(&mut plan, "EMAIL_ADDRESS");
    mail["level"] = "suppressed".into();
    without_edits(mail);
    // Another known type, by its label.
    let phone = entity(&mut plan, "PHONE_NUMBER");
    phone["type"] = "URL".into();
    phone["mentions"][0]["edit"]["replacement"] = "[URL]".into();
    let run = apply(&folder, &plan);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("the 1960s") && run.out.contains("[URL]"), "{}", run.out);
}

#[test]
fn leaves_a_wider_span_and_a_further_entity_alone() {
    let (folder, mut plan) = planned();
    let at = LETTER.find("lives").unwrap();
    let more = json!({
        "type": "NAME", "identifies": "in_combination", "mask": {"operator": "label"}, "level": "label",
        "review": "automatic", "mentions": [{"start": at, "end": at + 5}],
    });
    plan["entities"].as_array_mut().unwrap().push(more);
    let run = apply(&folder, &plan);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("[NAME] in"), "{}", run.out);
}
