use super::*;
use crate::sentence;

fn tokens(text: &str, language: Language) -> Vec<&str> {
    let mut sentences = Vec::new();
    sentence::split(text, Span::new(0, text.len()), &mut sentences);
    let mut cutter = Cutter::new(text, language);
    let mut out = Vec::new();
    for sentence in sentences {
        cutter.cut(sentence, &mut |span| out.push(span.of(text)));
    }
    out
}

#[track_caller]
fn cuts(text: &str, expected: &str) {
    assert_eq!(tokens(text, Language::English).join(" "), expected);
}

#[test]
fn cuts_english_as_the_treebank_does() {
    cuts("Don't go, they're Ana's.", "Do n't go , they 're Ana 's .");
    cuts("I can’t; we cannot.", "I ca n’t ; we can not .");
    cuts("It cost $1,000.50 (about 5%).", "It cost $ 1,000.50 ( about 5 % ) .");
    cuts("The U.S. Army came.", "The U.S. Army came .");
    cuts("He left the U.S.", "He left the U.S.");
    cuts(
        "Mr. Smith Jr. met J. K. Rowling at 5:30 p.m. today.",
        "Mr. Smith Jr. met J. K. Rowling at 5:30 p.m. today .",
    );
    cuts("“Hello,” she said--quietly...", "“ Hello , ” she said -- quietly ...");
    cuts("the dogs' well-known owner", "the dogs ' well-known owner");
    cuts("disease.The cause", "disease . The cause");
    cuts("(no. 55863/11)", "( no. 55863/11 )");
    cuts("AT&T and R&D, and/or", "AT&T and R&D , and/or");
}

#[test]
fn leaves_addresses_dates_and_names_whole() {
    for text in [
        "ana.ruiz+x@mail.example.com",
        "https://example.com/a?b=c&d=(e)#f",
        "www.example.com/x,y",
        "12/05/2011",
        "2011-05-12",
        "O'Brien",
        "d'Artagnan",
        "Anglo-Saxon",
        "1990–1995",
        "+34",
        "-5",
        "@ana",
        "192.168.0.1",
        "Ph.D",
        "’90s",
        "👨‍👩‍👧‍👦",
        "👍🏽",
        "🇪🇸",
        "e\u{301}te\u{301}",
        "naïve",
        "कि",
        "co\u{ad}operate",
    ] {
        assert_eq!(tokens(text, Language::English), [text]);
    }
    cuts("Mail ana@x.org, or see http://x.org/a.", "Mail ana@x.org , or see http://x.org/a .");
    cuts("E-mail:ana@x.org.", "E-mail : ana@x.org .");
}

#[test]
fn cuts_emoji_from_words_and_each_other() {
    cuts("hi😀👍🏽 bye", "hi 😀 👍🏽 bye");
    cuts("🇪🇸🇫🇷", "🇪🇸 🇫🇷");
}

#[test]
fn cuts_spanish() {
    let text = "¿Nombre: Pedro? D. José vive en c/ Mayor 5-7, 2º dcha. L'Hospitalet.";
    assert_eq!(
        tokens(text, Language::Spanish).join(" "),
        "¿ Nombre : Pedro ? D. José vive en c / Mayor 5-7 , 2º dcha. L'Hospitalet ."
    );
}

#[test]
fn cuts_other_scripts() {
    assert_eq!(tokens("我是学生。", Language::Other), ["我是学生", "。"]);
    assert_eq!(tokens("وُلد في القاهرة،", Language::Other), ["وُلد", "في", "القاهرة", "،"]);
}

#[test]
fn survives_long_chunks() {
    for part in ["a", "a@", "!", "🇪🇸", "a.", "://", "'", "www.", "\u{301}", "a-"] {
        let text = part.repeat(20_000);
        assert!(!tokens(&text, Language::English).is_empty());
    }
}
