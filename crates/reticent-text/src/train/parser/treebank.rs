//! Reading treebanks in CoNLL-U.

use std::io::BufRead;

use crate::parse::{Relation, Upos};
use crate::{Error, ErrorKind, Span};

/// A word of a treebank.
#[derive(Clone, Debug)]
pub struct GoldWord {
    /// The span in the text of its sentence.
    pub span: Span,
    /// The part of speech.
    pub upos: Upos,
    /// The tag, if the treebank has tags.
    pub xpos: String,
    /// The head; the number of words for the root.
    pub head: usize,
    /// What it is to its head.
    pub relation: Relation,
}

/// A sentence of a treebank.
#[derive(Clone, Default)]
pub struct GoldSentence {
    /// The name of its text.
    pub document: String,
    /// The text, put together from its words.
    pub text: String,
    /// The words.
    pub words: Vec<GoldWord>,
}

/// Reads a treebank. Words that are written as one and are not its parts (`del`, which is `de el`) become one word, with the
/// place of the first of them whose head is another.
pub fn read_treebank(input: &mut dyn BufRead) -> Result<Vec<GoldSentence>, Error> {
    let mut sentences = Vec::new();
    let mut rows: Vec<Row> = Vec::new();
    let mut document = String::new();
    let mut line = String::new();
    for number in 1.. {
        line.clear();
        let read = input
            .read_line(&mut line)
            .map_err(|_| Error::new(ErrorKind::Encoding, "cannot read the treebank").at_line(number))?;
        let row = line.trim_end_matches(['\n', '\r']);
        let wrong = || Error::new(ErrorKind::Malformed, "this is not a line of CoNLL-U").at_line(number);
        if let Some(name) = row.strip_prefix("# newdoc id = ") {
            name.clone_into(&mut document);
        } else if row.is_empty() {
            if !rows.is_empty() {
                sentences.push(sentence(&document, &rows).ok_or_else(wrong)?);
                rows.clear();
            }
        } else if !row.starts_with('#') {
            rows.extend(Row::read(row).map_err(|()| wrong())?);
        }
        if read == 0 {
            break;
        }
    }
    Ok(sentences)
}

struct Row {
    first: usize,
    /// The last word of a token that holds several; `None` for a word.
    last: Option<usize>,
    form: String,
    upos: Option<Upos>,
    xpos: String,
    head: usize,
    relation: Option<Relation>,
    space: bool,
}

impl Row {
    /// Nothing for words that are not written; fails if the line is no row.
    fn read(line: &str) -> Result<Option<Self>, ()> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [id, form, _, upos, xpos, _, head, relation, _, misc] = columns[..] else { return Err(()) };
        if id.contains('.') {
            return Ok(None);
        }
        let (first, last) = match id.split_once('-') {
            Some((first, last)) => (first.parse().map_err(drop)?, Some(last.parse().map_err(drop)?)),
            None => (id.parse().map_err(drop)?, None),
        };
        let is_word = last.is_none();
        let row = Self {
            first,
            last,
            form: form.to_owned(),
            upos: Upos::from_name(upos),
            xpos: xpos.to_owned(),
            head: if is_word { head.parse().map_err(drop)? } else { 0 },
            relation: Relation::from_name(relation).or(Some(Relation::UNKNOWN)),
            space: !misc.split('|').any(|field| field == "SpaceAfter=No"),
        };
        if is_word && row.upos.is_none() { Err(()) } else { Ok(Some(row)) }
    }
}

fn sentence(document: &str, rows: &[Row]) -> Option<GoldSentence> {
    let mut text = String::new();
    let words: Vec<&Row> = rows.iter().filter(|row| row.last.is_none()).collect();
    if words.iter().enumerate().any(|(at, row)| row.first != at + 1 || row.head > words.len()) {
        return None;
    }
    let mut spans: Vec<Option<Span>> = vec![None; words.len()];
    // For each word the one that stands for it.
    let mut stands: Vec<usize> = (0..words.len()).collect();
    let mut at = 0;
    for row in rows {
        let start = text.len();
        match row.last {
            Some(last) if (row.first..=words.len()).contains(&last) && at == row.first - 1 => {
                let parts = &words[row.first - 1..last];
                text.push_str(&row.form);
                let whole: String = parts.iter().map(|part| part.form.as_str()).collect();
                if whole == row.form {
                    let mut from = start;
                    for (part, span) in parts.iter().zip(&mut spans[row.first - 1..last]) {
                        *span = Some(Span::new(from, from + part.form.len()));
                        from += part.form.len();
                    }
                } else {
                    let inside = |head: usize| (row.first..=last).contains(&head);
                    let main = parts.iter().position(|part| !inside(part.head))? + row.first - 1;
                    spans[main] = Some(Span::new(start, text.len()));
                    stands[row.first - 1..last].fill(main);
                }
                at = last;
            }
            Some(_) => return None,
            None if row.first <= at => continue,
            None => {
                text.push_str(&row.form);
                spans[row.first - 1] = Some(Span::new(start, text.len()));
                at = row.first;
            }
        }
        if row.space {
            text.push(' ');
        }
    }
    text.truncate(text.trim_end().len());
    let mut place = vec![0; words.len()];
    let mut count = 0;
    for (word, span) in spans.iter().enumerate() {
        place[word] = count;
        count += usize::from(span.is_some());
    }
    let mut out = Vec::with_capacity(count);
    for (row, span) in words.iter().zip(&spans) {
        let Some(span) = *span else { continue };
        let head = match row.head {
            0 => count,
            head => place[stands[head - 1]],
        };
        let relation = row.relation?;
        out.push(GoldWord { span, upos: row.upos?, xpos: row.xpos.clone(), head, relation });
    }
    (!is_cyclic(&out)).then(|| GoldSentence { document: document.to_owned(), text, words: out })
}

fn is_cyclic(words: &[GoldWord]) -> bool {
    (0..words.len()).any(|start| {
        let (mut at, mut steps) = (start, 0);
        while at < words.len() && steps <= words.len() {
            at = words[at].head;
            steps += 1;
        }
        at < words.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "\
# newdoc id = one
1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tdo\tdo\tAUX\tVBP\t_\t0\troot\t_\t_
2\tn't\tnot\tPART\tRB\t_\t1\tadvmod\t_\t_
2.1\tgo\tgo\tVERB\tVB\t_\t_\t_\t_\t_
3\t.\t.\tPUNCT\t.\t_\t1\tpunct\t_\t_

1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_
1\tde\tde\tADP\t_\t_\t3\tcase\t_\t_
2\tel\tel\tDET\t_\t_\t3\tdet\t_\t_
3\taño\taño\tNOUN\t_\t_\t0\troot\t_\t_

";

    #[test]
    fn reads_words_of_one_token() {
        let sentences = read_treebank(&mut SMALL.as_bytes()).unwrap();
        let (one, two) = (&sentences[0], &sentences[1]);
        let forms = |sentence: &GoldSentence| -> Vec<String> {
            sentence.words.iter().map(|word| word.span.of(&sentence.text).to_owned()).collect()
        };
        assert_eq!(forms(one), ["do", "n't", "."]);
        assert_eq!(forms(two), ["del", "año"]);
        assert_eq!((two.words[0].head, two.words[1].head), (1, 2));
        assert_eq!((one.document.as_str(), one.text.as_str()), ("one", "don't."));
    }

    #[test]
    fn refuses_what_is_no_treebank() {
        for wrong in [
            "secret\n\n",
            "1\ta\ta\tNOUN\t_\t_\t7\troot\t_\t_\n\n",
            "1\ta\ta\tNOUN\t_\t_\t2\tdep\t_\t_\n2\tb\tb\tNOUN\t_\t_\t1\tdep\t_\t_\n\n",
            "1-9\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\ta\tNOUN\t_\t_\t0\troot\t_\t_\n\n",
        ] {
            let error = read_treebank(&mut wrong.as_bytes()).err().unwrap().to_string();
            assert!(error.contains("CoNLL-U") && !error.contains("secret"), "{error}");
        }
    }
}
