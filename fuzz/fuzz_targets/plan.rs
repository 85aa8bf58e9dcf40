//! Plans: whatever a person makes of the decisions, a plan is carried out as it says, or refused.
#![no_main]

use std::sync::LazyLock;

use reticent::plan::PlanFile;
use reticent::{Policy, Protector};
use reticent_text::{Document, OffsetUnit};
use serde_json::Value;

mod shared;

const LETTER: &str = "Dear Dr. Okafor, Mrs Maeve Linehan, 61, born 3 July 1962, writes from m.l@example.org. 🙂 Née Ruiz.";

static PROTECTOR: LazyLock<Protector> =
    LazyLock::new(|| Protector::new(Policy::preset("basic").unwrap(), None).unwrap());

/// The plan for the letter, whose decisions are to be replaced.
static PLAN: LazyLock<Value> = LazyLock::new(|| {
    let mut letter = Document::plain("letter", LETTER);
    let plan = PROTECTOR.plan(&mut letter, LETTER.as_bytes(), &[]).unwrap();
    let file = PlanFile::new(&plan, &letter, OffsetUnit::Chars);
    serde_json::from_str(&file.to_json().unwrap()).unwrap()
});

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = PlanFile::from_json(text);
    let Ok(entities) = serde_json::from_str(text) else { return };
    let mut plan = PLAN.clone();
    plan["entities"] = entities;
    let Ok(plan) = PlanFile::from_json(&plan.to_string()) else { return };
    let mut letter = Document::plain("letter", LETTER);
    if let Ok((released, plan)) = PROTECTOR.apply(&mut letter, LETTER.as_bytes(), plan, &[]) {
        shared::check_released(LETTER, &released);
        let approved = plan.decisions.iter().any(|decision| decision.keeps());
        assert!(approved || !released.text().contains("m.l@example.org"), "nobody approved the address");
    }
});
