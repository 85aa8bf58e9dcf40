//! The parts of a stretch: its noun, the names in it, its year.

use reticent_text::{Language, Layers, Pos, Span, Token, is_ordinary};

use super::form::{Form, Many, is_mass};
use super::work;
use crate::mask::numeral;

/// A stretch, taken apart.
pub(super) struct Phrase<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
    /// Without its year, up to the first preposition: what it is, not what it is of.
    pub(super) head: Span,
    /// The year in brackets after a title.
    pub(super) year: Option<Span>,
    /// Nouns in small letters that say what it is, with what stands before them.
    plain: Option<Span>,
    name: bool,
    /// The last word behind `and`, in small letters.
    pub(super) joined: Option<&'a str>,
    /// Whether it says something of a noun that follows: the `bachelor` of `bachelor's degree`.
    pub(super) modifies: bool,
    /// Whether an article or the like stands before it.
    determined: bool,
    pub(super) form: Form,
}

impl<'a> Phrase<'a> {
    pub(super) fn new(text: &'a str, layers: &Layers, span: Span) -> Self {
        let tokens = layers.tokens_in(span);
        let word = |token: &Token| -> &'a str { token.span.of(text) };
        let bracket = tokens.iter().position(|token| word(token) == "(");
        let year = bracket.and_then(|at| tokens.get(at + 1)).filter(|token| is_year(word(token)));
        let year = year.map(|token| token.span);
        let tokens = bracket.filter(|_| year.is_some()).map_or(tokens, |at| &tokens[..at]);
        let is_joint = |token: &Token| {
            matches!(token.tag.pos(), Pos::Preposition | Pos::Conjunction)
                && word(token).starts_with(char::is_lowercase)
        };
        let joint = tokens.iter().position(is_joint).filter(|at| *at > 0).unwrap_or(tokens.len());
        // `Screen Actors Guild and Saturn Awards` are awards: the last noun is of both.
        // Of `television and film roles` too; of `pay and benefits`, benefits are as true as pay.
        let described = joint > 0 && matches!(tokens[joint - 1].tag.name(), "NNP" | "JJ" | "VBG" | "NN");
        let shared = tokens.get(joint).is_some_and(|token| token.tag.pos() == Pos::Conjunction)
            && described
            && joint + 2 < tokens.len()
            && tokens.last().is_some_and(|last| {
                matches!(last.tag.name(), "NNS" | "NNPS")
                    || last.tag.name() == "NNP" && is_plural_name(word(last))
            })
            && tokens[joint + 1..].iter().all(|token| !is_joint(token));
        // `17 of the 21 films` are films.
        let of = tokens.get(joint).is_some_and(|token| word(token) == "of")
            && tokens[..joint].iter().all(|token| token.tag.pos() == Pos::Number);
        let head_tokens = if shared || of { &tokens[joint + 1..] } else { &tokens[..joint] };
        let is_determiner = |token: &Token| of && token.tag.pos() == Pos::Determiner;
        let head_tokens = &head_tokens[head_tokens.iter().take_while(|token| is_determiner(token)).count()..];
        let head = match (head_tokens.first(), head_tokens.last()) {
            (Some(first), Some(last)) => first.span.join(last.span),
            _ => span,
        };
        // `Pirates of the Caribbean series` is a series, not pirates.
        let plain = plain(text, head_tokens).or_else(|| {
            let last = tokens.last().filter(|token| work::is_work(word(token)) && joint < tokens.len())?;
            Some(last.span)
        });
        let modifies = modifies(text, layers, span);
        let last = head_tokens.last();
        let name = last.is_some_and(|token| !word(token).starts_with(char::is_lowercase));
        let noun = plain.and_then(|plain| layers.tokens_in(plain).last()).or(last);
        let is_plural = noun.is_some_and(|token| {
            let listed = matches!(token.tag.name(), "NNS" | "NNPS");
            let title = year.is_some() && plain.is_none();
            !title && (listed || (name && plain.is_none() && is_plural_name(word(token))))
        });
        let many = head_tokens.first().and_then(|first| how_many(word(first)));
        let determined = is_determined(text, layers, span);
        // `Hollywood's highest-paid actress` has no other article.
        let possessive = !is_plural && head_tokens.iter().any(|token| token.tag.pos() == Pos::Possessive);
        let form = Form { article: (name || possessive) && !determined, plural: is_plural, many };
        let conjunction = tokens.get(joint).is_some_and(|token| token.tag.pos() == Pos::Conjunction);
        let joined = tokens.last().filter(|last| conjunction && last.tag.pos() == Pos::Noun).map(word);
        let joined = joined.filter(|word| word.starts_with(char::is_lowercase));
        Self { text, span, head, year, plain, name, joined, modifies, determined, form }
    }

    /// How one thing must be called here, whatever its name looks like: `Days of Our Lives` is a work.
    pub(super) fn form_of_one(&self) -> Form {
        Form { article: !self.determined, plural: false, many: None }
    }

    /// How one or several of a kind must be called here, whatever the name looks like.
    pub(super) fn form_of(&self, several: bool) -> Form {
        Form { article: !self.determined, plural: several, many: self.form.many }
    }

    /// How a noun that says something broader must look here: what was a mass may become one thing.
    pub(super) fn form_for(&self, noun: &str) -> Form {
        Form { article: self.form.article || (self.is_bare() && !is_mass(noun)), ..self.form }
    }

    /// Whether one thing is meant and nothing stands before it: `infection`.
    fn is_bare(&self) -> bool {
        !self.form.plural && !self.determined && !self.modifies && self.form.many.is_none()
    }

    /// The last word of what it is, if that is no name.
    pub(super) fn noun(&self, layers: &Layers) -> Option<&'a str> {
        let word = layers.tokens_in(self.head).last()?.span.of(self.text);
        word.starts_with(char::is_lowercase).then_some(word)
    }

    /// Whether its last word says that it is a work, or several, of which nothing else is told: no `2007 adaptation of` a
    /// novel, and none of `historical epic and adventure films`.
    pub(super) fn works(&self, layers: &Layers) -> Option<Form> {
        let last = layers.tokens_in(self.span).last()?.span.of(self.text);
        let several = work::singular(last)? != last && !last.contains('-');
        let owned = ["its", "his", "her", "their"].contains(&self.before(layers).1);
        let next = layers.tokens.get(layers.tokens.partition_point(|token| token.span.start < self.span.end));
        let of = next.is_some_and(|token| token.span.of(self.text) == "of");
        let named = self.span.of(self.text).starts_with(char::is_uppercase);
        let one = self.determined || named;
        (!owned && !of && (several || one)).then(|| self.form_of(several))
    }

    /// Whether a noun before it says who bears the name: `as manager Scott Lavin`.
    pub(super) fn is_apposed(&self, layers: &Layers) -> bool {
        let at = layers.tokens.partition_point(|token| token.span.end <= self.span.start);
        let noun = at.checked_sub(1).map(|at| layers.tokens[at]);
        self.name
            && noun.is_some_and(|noun| {
                noun.tag.name() == "NN" && work::singular(noun.span.of(self.text)).is_none()
            })
    }

    /// The article or the like before it, `a` for `an`, and the word before that.
    pub(super) fn before(&self, layers: &Layers) -> (&'a str, &'a str) {
        let at = layers.tokens.partition_point(|token| token.span.end <= self.span.start);
        let word = |back: usize| at.checked_sub(back).map_or("", |at| layers.tokens[at].span.of(self.text));
        match word(1) {
            "an" => (word(2), "a"),
            article @ ("a" | "the" | "its" | "his" | "her" | "their" | "these" | "those") => {
                (word(2), article)
            }
            before => (before, ""),
        }
    }

    /// Whether it ends in a name.
    pub(super) fn is_name(&self) -> bool {
        self.name
    }

    /// The adjective in capitals before the nouns, if the stretch has nothing else.
    pub(super) fn nationality(&self) -> Option<&'a str> {
        let before = &self.text[self.head.start..self.plain?.start];
        let word = before.trim_end();
        let one = !word.is_empty() && !word.contains(' ') && word.starts_with(char::is_uppercase);
        one.then_some(word)
    }

    /// The nouns that say what it is, with all that stands before them.
    pub(super) fn plain_words(&self) -> Option<&'a str> {
        self.plain.map(|plain| plain.of(self.text))
    }

    /// The nouns that say what it is, with fewer and fewer words before them.
    pub(super) fn plain_forms(&self) -> Vec<&'a str> {
        let Some(plain) = self.plain else { return Vec::new() };
        let words = plain.of(self.text);
        let starts = std::iter::once(0).chain(words.match_indices(' ').map(|(at, _)| at + 1));
        starts.map(|start| &words[start..]).filter(|form| *form != self.span.of(self.text)).collect()
    }
}

/// `Awards`, but not `Paris`: without its `s` it is a word too.
fn is_plural_name(word: &str) -> bool {
    let one = word.strip_suffix('s').filter(|one| !one.ends_with('s'));
    one.is_some_and(|one| is_ordinary(one, Language::English))
}

/// The last run of words in small letters that ends in a noun: `film series` in `Harry Potter film series`, `comedy` in
/// `comedy Risky Business`.
fn plain(text: &str, tokens: &[Token]) -> Option<Span> {
    let small = |token: &Token| {
        let word = token.span.of(text);
        word.starts_with(char::is_lowercase)
            && matches!(token.tag.pos(), Pos::Noun | Pos::Adjective | Pos::Verb | Pos::Adverb)
            && how_many(word).is_none()
    };
    let end = tokens.iter().rposition(|token| small(token) && token.tag.pos() == Pos::Noun)?;
    // At the end, or a kind of work before its title; the `time` of `two-time WWE Champion` is no kind of thing.
    let fits = end + 1 == tokens.len() || work::singular(tokens[end].span.of(text)).is_some();
    let start = (0..=end).rev().take_while(|at| small(&tokens[*at])).last()?;
    let start = (start..=end).find(|at| !matches!(tokens[*at].tag.pos(), Pos::Adverb | Pos::Verb))?;
    fits.then(|| tokens[start].span.join(tokens[end].span))
}

fn is_year(word: &str) -> bool {
    word.len() >= 4 && word.bytes().take(4).all(|byte| byte.is_ascii_digit())
}

fn how_many(word: &str) -> Option<Many> {
    match word {
        "two" | "2" | "all" | "both" | "every" | "each" => Some(Many::Two),
        word if numeral::english_word(word)
            .or_else(|| word.parse().ok())
            .is_some_and(|number| (3..1000).contains(&number)) =>
        {
            Some(Many::More)
        }
        _ => None,
    }
}

/// Whether a noun follows that the stretch belongs to, perhaps after an abbreviation: `transcriptase (RT) inhibitors`.
pub(super) fn modifies(text: &str, layers: &Layers, span: Span) -> bool {
    let at = layers.tokens.partition_point(|token| token.span.start < span.end);
    let word = |at: usize| layers.tokens.get(at).map(|token| token.span.of(text));
    let at = if word(at) == Some("(") && word(at + 2) == Some(")") { at + 3 } else { at };
    let next = layers.tokens.get(at).filter(|next| !text[span.end..next.span.start].contains('\n'));
    !needs_to(layers, at) && next.is_some_and(|next| matches!(next.tag.pos(), Pos::Possessive | Pos::Noun))
}

/// `uses to` and `needs to`: a verb, though the tagger takes it for a noun after a noun.
fn needs_to(layers: &Layers, at: usize) -> bool {
    let tag = |at: usize| layers.tokens.get(at).map(|token| token.tag.name());
    matches!(tag(at), Some("NNS" | "VBZ")) && tag(at + 1) == Some("TO")
}

/// Whether an article, a possessive or another word of the same phrase stands before a stretch.
fn is_determined(text: &str, layers: &Layers, span: Span) -> bool {
    let at = layers.tokens.partition_point(|token| token.span.start < span.start);
    let Some(before) = at.checked_sub(1).map(|at| layers.tokens[at]) else { return false };
    // Within a word, as HIV in `non-HIV`, nothing can stand before it.
    let Some(next) = text.get(before.span.end..span.start) else { return true };
    // `a protein that HIV uses`, `an enzyme HIV needs`: a clause begins here.
    let after = layers.tokens.partition_point(|token| token.span.start < span.end);
    let needs_to = needs_to(layers, after);
    let verb_follows =
        needs_to || layers.tokens.get(after).is_some_and(|token| matches!(token.tag.name(), "VBZ" | "VBD"));
    let word = before.span.of(text);
    if verb_follows && ["that", "which"].contains(&word)
        || needs_to && before.tag.pos() == Pos::Noun
        || word == "both"
    {
        return false;
    }
    let same_phrase = matches!(
        before.tag.pos(),
        Pos::Determiner | Pos::Possessive | Pos::Adjective | Pos::Noun | Pos::Number
    );
    same_phrase && next.chars().all(char::is_whitespace) && !next.contains('\n')
}
