//! Against a real server on a real socket, which speaks just enough HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::*;

/// What the server does with a question.
#[derive(Clone)]
enum Reply {
    /// Answers with a status and a body.
    Say(u16, String),
    /// Says nothing for so long.
    Wait(Duration),
    /// Sends bytes that are no HTTP.
    Garbage,
    /// Closes the connection.
    HangUp,
    /// Promises more bytes than it sends.
    BreakOff,
}

struct Server {
    url: String,
    asked: Arc<AtomicUsize>,
    seen: Arc<Mutex<Vec<String>>>,
}

/// Serves until the test ends; the replies come from a function of the number of the question and its body.
fn serve(reply: impl Fn(usize, &Value) -> Reply + Send + 'static) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/articles", listener.local_addr().unwrap());
    let (asked, seen) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
    let (count, heads) = (Arc::clone(&asked), Arc::clone(&seen));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let Some((head, body)) = read(&mut stream) else { continue };
            heads.lock().unwrap().push(head);
            let reply = reply(count.fetch_add(1, Ordering::SeqCst), &body);
            answer(&mut stream, &reply);
        }
    });
    Server { url, asked, seen }
}

fn read(stream: &mut TcpStream) -> Option<(String, Value)> {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, serde_json::from_slice(&body).unwrap()))
}

fn answer(stream: &mut TcpStream, reply: &Reply) {
    let _ = match reply {
        Reply::Say(status, body) => write!(
            stream,
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        ),
        Reply::Wait(time) => {
            std::thread::sleep(*time);
            Ok(())
        }
        Reply::Garbage => stream.write_all(b"\x00\xff not HTTP at all \r\n\r\n"),
        Reply::HangUp => Ok(()),
        Reply::BreakOff => stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"cou"),
    };
}

fn count_of(count: u64) -> Reply {
    Reply::Say(
        200,
        format!("{{\"count\":{count},\"_shards\":{{\"total\":1,\"successful\":1,\"failed\":0}}}}"),
    )
}

fn options(server: &Server) -> EngineOptions {
    EngineOptions {
        timeout: Duration::from_millis(400),
        pause: Duration::from_millis(5),
        retries: 2,
        ..EngineOptions::new(&server.url)
    }
}

fn connect(server: &Server) -> Result<SearchEngine, Error> {
    SearchEngine::connect(options(server), Credentials::default())
}

/// Answers the first question, for the total, and then as told.
fn after_total(reply: Reply) -> Server {
    serve(move |number, _| if number == 0 { count_of(100) } else { reply.clone() })
}

#[test]
fn asks_for_phrases_and_conjunctions() {
    let server = serve(|_, body| {
        let filter = body.pointer("/query/bool/filter").and_then(Value::as_array);
        match filter.map(|phrases| {
            phrases.iter().map(|phrase| phrase["match_phrase"]["text"].clone()).collect::<Vec<_>>()
        }) {
            None => count_of(if body.pointer("/query/match_all").is_some() { 100 } else { 0 }),
            Some(terms) if terms == [json!("blood transfusion")] => count_of(7),
            Some(terms) if terms == [json!("blood transfusion"), json!("influenza")] => count_of(2),
            Some(_) => count_of(0),
        }
    });
    let engine = connect(&server).unwrap();
    assert_eq!((engine.total(), engine.name().as_str()), (100, "search engine with 100 documents"));
    assert_eq!(engine.count(&["blood transfusion"]).unwrap(), Count::Exact(7));
    assert_eq!(engine.count(&["blood transfusion", "influenza"]).unwrap(), Count::Exact(2));
    assert_eq!(engine.count(&["malaria"]).unwrap(), Count::Exact(0));
    assert_eq!(engine.count(&[]).unwrap(), Count::Exact(100));
    assert!(server.seen.lock().unwrap()[0].starts_with("POST /articles/_count "));
}

#[test]
fn does_not_ask_what_has_no_answer() {
    let server = after_total(count_of(3));
    let engine = connect(&server).unwrap();
    assert_eq!(engine.count(&["..."]).unwrap(), Count::Unknown);
    let long = engine.count(&[&"word ".repeat(2000)]).unwrap_err();
    assert_eq!(long.kind(), ErrorKind::Argument);
    assert_eq!(server.asked.load(Ordering::SeqCst), 1);
}

#[test]
fn asks_once_and_remembers() {
    let server = after_total(count_of(3));
    let folder = tempfile::tempdir().unwrap();
    let with_memory = || EngineOptions { memory: Some(folder.path().join("answers")), ..options(&server) };
    let engine = SearchEngine::connect(with_memory(), Credentials::default()).unwrap();
    assert_eq!(engine.count(&["flu"]).unwrap(), Count::Exact(3));
    assert_eq!(engine.count(&["flu"]).unwrap(), Count::Exact(3));
    assert_eq!(server.asked.load(Ordering::SeqCst), 2);
}

#[test]
fn what_may_pass_is_asked_again() {
    for trouble in [
        Reply::HangUp,
        Reply::BreakOff,
        Reply::Say(503, String::new()),
        Reply::Say(429, "slow down".to_owned()),
    ] {
        let server = serve(move |number, _| match number {
            0 => count_of(100),
            1 => trouble.clone(),
            _ => count_of(9),
        });
        assert_eq!(connect(&server).unwrap().count(&["flu"]).unwrap(), Count::Exact(9));
    }
}

#[test]
fn failure_refuses_and_never_guesses() {
    let part = "{\"count\":3,\"_shards\":{\"total\":2,\"successful\":1,\"failed\":1}}";
    for trouble in [
        Reply::Garbage,
        Reply::HangUp,
        Reply::BreakOff,
        Reply::Wait(Duration::from_millis(600)),
        Reply::Say(200, "<html>secretword</html>".to_owned()),
        Reply::Say(200, "{}".to_owned()),
        Reply::Say(200, "{\"count\":-1}".to_owned()),
        Reply::Say(200, "{\"count\":2.5}".to_owned()),
        Reply::Say(200, part.to_owned()),
        Reply::Say(200, "{\"count\":3,\"timed_out\":true}".to_owned()),
        Reply::Say(200, " ".repeat(100_000)),
        Reply::Say(301, String::new()),
        Reply::Say(400, "secretword".to_owned()),
        Reply::Say(404, String::new()),
        Reply::Say(500, String::new()),
        // More than there are.
        count_of(101),
    ] {
        let server = after_total(trouble);
        let error = connect(&server).unwrap().count(&["secretword"]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unreachable);
        let told = format!("{error} {error:?} {:?}", error.hint());
        assert!(!told.contains("secretword"), "{told}");
    }
}

#[test]
fn a_slow_server_costs_no_more_than_the_timeout() {
    let server = after_total(Reply::Wait(Duration::from_secs(3)));
    let engine =
        SearchEngine::connect(EngineOptions { retries: 0, ..options(&server) }, Credentials::default());
    let start = Instant::now();
    assert_eq!(engine.unwrap().count(&["flu"]).unwrap_err().kind(), ErrorKind::Unreachable);
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[test]
fn nobody_there_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/articles", listener.local_addr().unwrap());
    drop(listener);
    let options = EngineOptions { pause: Duration::from_millis(1), ..EngineOptions::new(url) };
    let error = SearchEngine::connect(options, Credentials::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable);
    let server = serve(|_, _| count_of(0));
    assert_eq!(connect(&server).unwrap_err().kind(), ErrorKind::Empty);
}

#[test]
fn credentials_are_sent_and_never_shown() {
    let server = after_total(Reply::Say(403, String::new()));
    let engine = SearchEngine::connect(options(&server), Credentials::new("ApiKey hidden")).unwrap();
    let error = engine.count(&["flu"]).unwrap_err();
    assert!(server.seen.lock().unwrap()[0].contains("ApiKey hidden"));
    assert_eq!(server.asked.load(Ordering::SeqCst), 2, "what is forbidden is not asked again");
    let told = format!("{error:?} {engine:?} {:?}", engine.credentials);
    assert!(!told.contains("hidden"), "{told}");
}

#[test]
fn addresses_are_checked() {
    let none = Credentials::default();
    for good in ["http://localhost:9200/a", "https://search.example.org/api/v1/_elastic/articles"] {
        assert!(check_url(good, &none).is_ok());
    }
    for bad in
        ["ftp://h/a", "localhost/a", "https://user:word@h/a", "https://h", "https://h/", "https://h/a?x"]
    {
        assert_eq!(check_url(bad, &none).unwrap_err().kind(), ErrorKind::Argument);
    }
    let given = Credentials::new("Bearer x");
    assert!(check_url("http://h.example/a", &given).is_err());
    assert!(check_url("http://127.0.0.1:9200/a", &given).is_ok());
    assert!(check_url("https://h.example/a", &given).is_ok());
}
