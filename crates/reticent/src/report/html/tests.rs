use data_encoding::BASE64;
use proptest::prelude::*;
use reticent_text::Document;
use sha2::{Digest, Sha256};

use super::*;
use crate::{Policy, Protector};

fn protector() -> Protector {
    Protector::new(Policy::preset("basic").unwrap(), None).unwrap()
}

fn page_of(id: &str, text: &str) -> String {
    let mut document = Document::plain(id, text);
    let (released, plan) = protector().protect(&mut document, b"", &[]).unwrap();
    page(&[Shown { document: &document, plan: &plan, released: Some(&released) }])
}

/// The page without what is always there.
fn body(page: &str) -> &str {
    page.split_once("<main>").unwrap().1
}

/// All tags of a page, as they stand.
fn tags(html: &str) -> Vec<&str> {
    html.split('<').skip(1).filter_map(|rest| rest.split('>').next()).collect()
}

#[test]
fn a_document_cannot_write_to_the_page() {
    let attack = "</td></table><script>alert('x')</script> <img src=x onerror=alert(1)> \
        \"><svg/onload=alert(2)> mail \"<b onmouseover='x'>\"@example.org a.b@example.org &lt;i&gt; --> \0";
    let page = page_of("<script>alert(\"id\")</script>.txt", attack);
    for tag in tags(body(&page)) {
        let name = tag.trim_start_matches('/').split([' ', '\n']).next().unwrap();
        assert!(
            [
                "h1", "h2", "h3", "p", "mark", "section", "b", "div", "table", "colgroup", "col", "thead",
                "tbody", "tr", "th", "td", "a", "caption", "main", "body", "html"
            ]
            .contains(&name),
            "<{tag}>"
        );
        assert!(!tag.contains("onerror") && !tag.contains("onload") && !tag.contains("onmouseover"), "{tag}");
    }
    assert!(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"), "{page}");
    assert!(page.contains("&amp;lt;i&amp;gt;"));
    assert!(!page.contains('\0'));
}

#[test]
fn a_browser_runs_our_script_and_nothing_else() {
    let page = page_of("letter", "hello");
    let script = page.split_once("<script>").unwrap().1.split_once("</script>").unwrap().0;
    let hash = BASE64.encode(&Sha256::digest(script));
    assert!(
        page.contains(&format!("script-src 'sha256-{hash}'")),
        "the script is not the one that is allowed"
    );
    assert!(page.contains("default-src 'none'"));
    for address in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(address), "{address}");
    }
    assert_eq!(page.matches("<script").count(), 1);
}

#[test]
fn marks_stand_next_to_each_other() {
    let page = page_of("letter", "Dear Sir,\n\nwrite to a.b@example.org\nor not.\n");
    let row = page.lines().find(|line| line.contains("a.b@example.org")).unwrap();
    assert!(row.contains("[EMAIL_ADDRESS]"), "{row}");
    assert!(row.contains("id=\"m0-0\"") && page.contains("href=\"#m0-0\"") && page.contains("id=\"d0-0\""));
    let row = page.lines().find(|line| line.contains("or not.")).unwrap();
    assert_eq!(row.matches("or not.").count(), 2);
}

#[test]
fn says_so_if_nothing_was_released() {
    let mut document = Document::plain("letter", "hello");
    let plan = protector().plan(&mut document, b"", &[]).unwrap();
    let page = page(&[Shown { document: &document, plan: &plan, released: None }]);
    assert!(page.contains("not released"));
}

/// The words of a page's column.
fn column(page: &str, side: &str) -> String {
    let cells =
        page.split("<td dir=\"auto\" data-side=\"").skip(1).filter_map(|cell| cell.strip_prefix(side));
    let mut text = String::new();
    for cell in cells {
        let cell = cell.strip_prefix("\">").unwrap();
        let cell = cell.split("</tr>").next().unwrap().split("<td").next().unwrap();
        let mut rest = cell;
        while let Some((before, after)) = rest.split_once('<') {
            text.push_str(before);
            rest = after.split_once('>').unwrap().1;
        }
        text.push_str(rest);
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    text.replace("&amp;", "&").split_whitespace().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn shows_every_word_on_both_sides(text in "(?s)([a-c<&\"' \n]|a\\.b@x\\.org|3 July 1962|\nDr\\. Ruiz\n){0,24}") {
        let mut document = Document::plain("letter", &text);
        if let Ok((released, plan)) = protector().protect(&mut document, b"", &[]) {
            let page = page(&[Shown { document: &document, plan: &plan, released: Some(&released) }]);
            let words = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(column(&page, "before"), words(&text));
            prop_assert_eq!(column(&page, "after"), words(released.text()));
        }
    }
}
