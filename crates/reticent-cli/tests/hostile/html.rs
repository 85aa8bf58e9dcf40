//! Web pages and Markdown: nothing of the subject leaves in an attribute, a script or a comment.

use crate::common::Folder;
use crate::package::holds;

const NAME: &str = "Zyxomma Quillfeather";

fn protect(file: &str, content: &str, more: &[&str]) -> (i32, String, String) {
    let folder = Folder::new();
    folder.write(file, content);
    let args = ["protect", file, "--subject", NAME, "--method", "names", "-o", "out"];
    let run = folder.run(&[&args, more].concat());
    let out = folder.path("out");
    (run.code, if out.exists() { folder.read("out") } else { String::new() }, run.err)
}

fn assert_released(file: &str, content: &str) -> String {
    let (code, out, err) = protect(file, content, &[]);
    assert_eq!(code, 0, "{content}: {err}");
    for word in ["Zyxomma", "Quillfeather", "omma Quill", "Wnl4b21tYQ"] {
        assert!(!holds(out.as_bytes(), word), "{content}: {out}");
    }
    out
}

#[test]
fn attributes_are_examined_or_removed() {
    for attribute in [
        "class=\"card Zyxomma-Quillfeather\"",
        "class='Quillfeather'",
        "style=\"font-family: 'Zyxomma Quillfeather'\"",
        "style=\"content: 'Zyx\\6f mma'; background: url(data:image/png;base64,Wnl4b21tYQ==)\"",
        "id=\"Zyxomma_Quillfeather\"",
        "data-owner=\"Zyxomma Quillfeather\"",
        "data-zyxomma-quillfeather=\"1\"",
        "aria-label=\"Zyxomma Quillfeather\"",
        "aria-zyxomma-quillfeather=\"x\"",
        "onclick=\"greet('Zyx' + 'omma')\"",
        "title=Quillfeather",
        "href=\"javascript:greet('Quillfeather')\"",
        "href=\"mailto:a@x.org?subject=Zyxomma%20Quillfeather\"",
        "src=\"data:text/plain;base64,Wnl4b21tYQ==\"",
        "srcset=\"a.png 1x, data:image/png;base64,Wnl4b21tYQ== 2x\"",
        "srcdoc=\"<p>Zyx<b>omma</b> Quillfeather</p>\"",
        "xmlns:zyxomma-quillfeather=\"urn:Zyxomma\"",
        "Quillfeather",
    ] {
        assert_released("in.html", &format!("<p>About Zyxomma Quillfeather.</p><a {attribute}>x</a>"));
    }
}

#[test]
fn scripts_comments_and_hidden_markup_are_examined_or_removed() {
    for hidden in [
        "<script>var who = 'Zyx' + 'omma Quillfeather'; atob('Wnl4b21tYQ==')</script>",
        "<script type='application/ld+json'>{\"name\": \"Zyxomma \\u0051uillfeather\"}</script>",
        "<style>.Quillfeather::after { content: 'Zyxomma' }</style>",
        "<style>p::after { content: 'Zyx\\00006fmma Quillfeather' }</style>",
        "<!-- by Zyxomma Quillfeather -->",
        "<!-- <p>Zyx<b>omma</b> Quillfeather</p> -->",
        "<!--[if IE]><p>Zyx<i>omma</i> Quillfeather</p><![endif]-->",
        "<?php echo 'Zyx' . 'omma Quillfeather'; ?>",
        "<svg><title>Zyxomma Quillfeather</title><metadata>Quillfeather</metadata><text>Zyx<![CDATA[omma]]> Quillfeather</text></svg>",
        "<template><p>Zyx<b>omma</b> Quillfeather</p></template>",
        "<noscript><p>Zyx<b>omma</b> Quillfeather</p></noscript>",
        "<iframe><p>Zyx<b>omma</b> Quillfeather</p></iframe>",
        "<meta name=\"description\" content=\"Zyxomma Quillfeather\"><base href=\"https://x.org/Quillfeather/\">",
        "<zyxomma-quillfeather>x</zyxomma-quillfeather>",
    ] {
        assert_released("in.html", &format!("<p>About Zyxomma Quillfeather.</p>{hidden}"));
    }
}

#[test]
fn removed_content_is_reported_and_kept_only_with_exit_code_1() {
    let page = "<p onclick='go()'>About Zyxomma Quillfeather.</p><script>go()</script>";
    let (code, out, err) = protect("in.html", page, &[]);
    assert_eq!(code, 0, "{err}");
    assert!(out.starts_with("<p>") && out.ends_with("</p><script></script>"), "{out}");
    assert!(err.contains("script (1)") && err.contains("script in an attribute (1)"), "{err}");
    let (code, out, err) = protect("in.html", page, &["--keep-attachments"]);
    assert_eq!(code, 1, "{err}");
    assert!(out.contains("<script>go()</script>") && err.contains("not examined: script"), "{err}");
}

#[test]
fn markdown_is_examined_everywhere() {
    for hidden in [
        "---\nauthor: Zyxomma Quillfeather\n---\n\nx",
        "+++\nauthor = \"Zyxomma Quillfeather\"\n+++\n\nx",
        "[x](https://x.org \"Zyxomma Quillfeather\")",
        "[x][Quillfeather]\n\n[Quillfeather]: https://x.org 'by Zyxomma Quillfeather'",
        "[unused]: https://x.org/Quillfeather",
        "<div class=\"Quillfeather\" onclick=\"a('Zyx'+'omma')\">\n\nx\n\n</div>",
        "```Quillfeather\nlet a = \"Zyxomma Quillfeather\";\n```",
        "`Zyxomma Quillfeather`",
        "    Zyxomma Quillfeather",
        "![Zyxomma Quillfeather](data:image/png;base64,Wnl4b21tYQ==)",
        "<!-- Zyx<b>omma</b> Quillfeather -->",
        "Zyx**omma** Quill*feather*",
        "Zyx&#111;mma Quillfeather",
        "x[^Quillfeather]\n\n[^Quillfeather]: Zyxomma Quillfeather",
        "| Zyxomma Quillfeather |\n|---|\n| x |",
    ] {
        assert_released("in.md", &format!("{hidden}\n\nAbout Zyxomma Quillfeather.\n"));
    }
}

#[test]
fn a_plain_page_stays_byte_for_byte() {
    let page = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><style>.card { color: #333; background: url(a.png) }</style></head><body class=\"card wide\" style=\"margin: 0 auto\"><!-- navigation --><p id=\"intro\" data-id=\"7\">The dose is 5 mg.</p><img src=\"chart.png\" alt=\"a chart\" width=\"20\"><svg viewBox=\"0 0 10 10\"><path d=\"M0 0L10 10\"/></svg></body></html>";
    let note = "---\ntags: [follow-up]\n---\n\n# Dose\n\nThe dose is [5 mg](dose.html \"the dose\").\n\n<div class=\"wide\">\n\n```rust\nlet dose = 5;\n```\n\n</div>\n\n![a chart](chart.png)\n";
    for (file, content) in [("in.html", page), ("in.md", note)] {
        for preset in ["basic", "hipaa-safe-harbor", "gdpr"] {
            let folder = Folder::new();
            folder.write(file, content);
            let run = folder.run(&["protect", file, "--preset", preset, "-o", "out"]);
            assert_eq!(run.code, 0, "{preset}: {}", run.err);
            assert!(!run.err.contains("removed"), "{preset}: {}", run.err);
            let out = folder.read("out");
            if preset != "hipaa-safe-harbor" {
                assert_eq!(out, content, "{preset}");
            }
        }
    }
}
