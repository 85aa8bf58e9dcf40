//! A search engine that speaks the `_count` API of Elasticsearch, as `OpenSearch`, Quickwit and others do.

mod memory;

use std::fmt;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::{Value, json};
use ureq::http::StatusCode;

use self::memory::Memory;
use super::{Count, Counts, with_commas};
use crate::fold::words;
use crate::{Error, ErrorKind};

/// A term of more words is not asked for: servers refuse such queries, or take long.
const MOST_WORDS: usize = 256;
/// No answer to a count is longer.
const LONGEST_ANSWER: u64 = 1 << 16;

/// How a search engine is asked.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// The address of the index: `https://search.example.org:9200/articles`.
    pub url: String,
    /// The field that holds the text.
    pub field: String,
    /// How long to wait for one answer.
    pub timeout: Duration,
    /// How often to ask again after a failure that may pass; each time after twice the pause.
    pub retries: u32,
    /// The pause before asking again for the first time.
    pub pause: Duration,
    /// A file that remembers answers; made if it is not there. Without one they are asked for each time.
    pub memory: Option<PathBuf>,
}

impl EngineOptions {
    /// The usual settings for an address: field `text`, 10 seconds, 3 retries.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            field: "text".to_owned(),
            timeout: Duration::from_secs(10),
            retries: 3,
            pause: Duration::from_millis(250),
            memory: None,
        }
    }
}

/// By what the server knows us. Never shown, never written down.
#[derive(Clone, Default)]
pub struct Credentials {
    header: Option<String>,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.header.is_some() { "Credentials(given)" } else { "Credentials(none)" })
    }
}

impl Credentials {
    /// The whole value of the `Authorization` header, such as `ApiKey …` or `Bearer …`.
    pub fn new(header: impl Into<String>) -> Self {
        Self { header: Some(header.into()) }
    }

    /// What the environment variable `RETICENT_ENGINE_AUTHORIZATION` holds, if it is set: the only place they
    /// are looked for.
    pub fn from_environment() -> Self {
        Self {
            header: std::env::var("RETICENT_ENGINE_AUTHORIZATION").ok().filter(|header| !header.is_empty()),
        }
    }
}

/// Counts from a search engine.
///
/// The server learns what it is asked: with terms of a confidential document, let it be one's own.
///
/// Terms are asked for as phrases, folded as the server's own analyzer does it. A server that does not answer,
/// or not with a number that it stands for, is an error: a missing count must not look like a small one.
pub struct SearchEngine {
    options: EngineOptions,
    credentials: Credentials,
    agent: ureq::Agent,
    memory: Memory,
    total: OnceLock<u64>,
}

impl fmt::Debug for SearchEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchEngine").field("field", &self.options.field).finish_non_exhaustive()
    }
}

impl SearchEngine {
    /// Asks the server how many documents it has, so that a server that cannot be reached is known at once.
    pub fn connect(options: EngineOptions, credentials: Credentials) -> Result<Self, Error> {
        check_url(&options.url, &credentials)?;
        let memory = Memory::open(options.memory.as_deref(), &options.url, &options.field)?;
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(options.timeout))
            .http_status_as_error(false)
            // A redirect would send the terms, and perhaps the credentials, elsewhere.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .build();
        let engine = Self { options, credentials, agent: config.into(), memory, total: OnceLock::new() };
        // The total is never remembered from another day: all information is measured by it.
        let total = engine.ask(&json!({ "query": { "match_all": {} } }))?;
        if total == 0 {
            return Err(Error::new(ErrorKind::Empty, "the search engine has no documents")
                .with_hint("check the name of the index in the address"));
        }
        let _ = engine.total.set(total);
        Ok(engine)
    }

    fn query(&self, terms: &[&str]) -> Value {
        let phrases: Vec<Value> = terms
            .iter()
            .map(|term| json!({ "match_phrase": { self.options.field.as_str(): term } }))
            .collect();
        json!({ "query": { "bool": { "filter": phrases } } })
    }

    /// One question, asked again when the failure may pass.
    fn ask(&self, query: &Value) -> Result<u64, Error> {
        let body = query.to_string();
        let mut pause = self.options.pause;
        for left in (0..=self.options.retries).rev() {
            match self.ask_once(&body) {
                Ok(count) => return Ok(count),
                Err(Failed::ForGood(error)) => return Err(error),
                Err(Failed::Perhaps(error)) if left == 0 => return Err(error),
                Err(Failed::Perhaps(_)) => {
                    std::thread::sleep(pause);
                    pause = pause.saturating_mul(2);
                }
            }
        }
        Err(unreachable("was not queried"))
    }

    fn ask_once(&self, body: &str) -> Result<u64, Failed> {
        let url = format!("{}/_count", self.options.url.trim_end_matches('/'));
        let mut request = self.agent.post(&url).header("content-type", "application/json");
        if let Some(header) = &self.credentials.header {
            request = request.header("authorization", header);
        }
        // What the library says may quote the address, and with it the query: only the kind is told.
        let mut response = request.send(body).map_err(|error| match error {
            ureq::Error::Timeout(_) => Failed::Perhaps(unreachable("did not respond in time")),
            ureq::Error::HostNotFound => Failed::ForGood(unreachable("has an unknown host name")),
            ureq::Error::Tls(_) | ureq::Error::Rustls(_) => {
                Failed::ForGood(unreachable("has no valid TLS certificate"))
            }
            ureq::Error::Http(_) | ureq::Error::BadUri(_) => {
                Failed::ForGood(unreachable("has no valid address"))
            }
            _ => Failed::Perhaps(unreachable("is unreachable, or closed the connection")),
        })?;
        let status = response.status();
        if status != StatusCode::OK {
            return Err(refused(status));
        }
        let answer = response.body_mut().with_config().limit(LONGEST_ANSWER).read_to_vec().map_err(|_| {
            Failed::Perhaps(unreachable("closed the connection before the end of its response"))
        })?;
        read_count(&answer)
    }
}

impl Counts for SearchEngine {
    fn name(&self) -> String {
        format!("search engine with {} documents", with_commas(self.total()))
    }

    /// A server changes: its address, the field and how many documents it has are all that it can be named by.
    fn fingerprint(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for part in [self.options.url.as_str(), &self.options.field, &self.total().to_string()] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }

    fn total(&self) -> u64 {
        self.total.get().copied().unwrap_or(0)
    }

    fn count(&self, terms: &[&str]) -> Result<Count, Error> {
        if terms.is_empty() {
            return Ok(Count::Exact(self.total()));
        }
        for term in terms {
            match words(term).take(MOST_WORDS + 1).count() {
                // Without a word, a server finds either nothing or everything.
                0 => return Ok(Count::Unknown),
                count if count > MOST_WORDS => {
                    return Err(Error::new(
                        ErrorKind::Argument,
                        format!("terms of more than {MOST_WORDS} words cannot be queried"),
                    ));
                }
                _ => {}
            }
        }
        let query = self.query(terms);
        let key = query.to_string();
        if let Some(count) = self.memory.get(&key) {
            return Ok(Count::Exact(count));
        }
        let count = self.ask(&query)?;
        if count > self.total() {
            return Err(unreachable("reports more matches than documents: its index has changed, or it is not a supported search engine")
                .with_hint("ask again"));
        }
        self.memory.put(&key, count)?;
        Ok(Count::Exact(count))
    }
}

/// A question that failed.
enum Failed {
    /// It may succeed later.
    Perhaps(Error),
    /// It will not.
    ForGood(Error),
}

fn unreachable(what: &str) -> Error {
    Error::new(ErrorKind::Unreachable, format!("the search engine {what}"))
        .with_hint("check that it is running, or use a local index")
}

fn refused(status: StatusCode) -> Failed {
    let error = unreachable(&format!("responded with status {}", status.as_u16()));
    match status.as_u16() {
        401 | 403 => Failed::ForGood(
            error.with_hint("set RETICENT_ENGINE_AUTHORIZATION to the credentials for the server"),
        ),
        404 => Failed::ForGood(error.with_hint("check the name of the index in the address")),
        429 | 500..=599 => Failed::Perhaps(error),
        _ => Failed::ForGood(error),
    }
}

/// The count in an answer, if all parts of the index took part in it.
fn read_count(answer: &[u8]) -> Result<u64, Failed> {
    let no_count = || Failed::ForGood(unreachable("responded without a count"));
    let answer: Value = serde_json::from_slice(answer).map_err(|_| no_count())?;
    let failed = answer.pointer("/_shards/failed").and_then(Value::as_u64).unwrap_or(0);
    if failed > 0 || answer.get("timed_out").and_then(Value::as_bool) == Some(true) {
        return Err(Failed::Perhaps(unreachable("returned a partial count")));
    }
    answer.get("count").and_then(Value::as_u64).ok_or_else(no_count)
}

/// An address that we may send terms to.
fn check_url(url: &str, credentials: &Credentials) -> Result<(), Error> {
    let refuse = |what: &str| Err(Error::new(ErrorKind::Argument, what));
    let Some(rest) = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")) else {
        return refuse("the address of a search engine must start with https:// or http://");
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if host.contains('@') {
        return refuse("do not put credentials in the address: set RETICENT_ENGINE_AUTHORIZATION");
    }
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let here = matches!(name, "localhost" | "127.0.0.1" | "[::1]");
    if credentials.header.is_some() && url.starts_with("http://") && !here {
        return refuse("credentials are sent over https:// only");
    }
    if rest.contains(['?', '#'])
        || rest.trim_end_matches('/').split_once('/').is_none_or(|(_, index)| index.is_empty())
    {
        return refuse(
            "the address of a search engine must end with the name of an index: https://host:9200/articles",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests;
