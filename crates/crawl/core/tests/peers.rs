//! The same question to others who read robots.txt: Google's parser as gpyrobotstxt ports it, and Scrapy's Protego.
//!
//! Files and URLs come from a grammar that likes the edges, by a fixed seed. Where we disagree with one of them, the text that
//! decides is named in `why_not_google` or `why_not_protego`; any other disagreement fails.

#![expect(clippy::expect_used, reason = "a test")]

use std::{
    fmt::Write as _,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use pharos_crawl::robots::{file::RobotsFile, pattern::Target};
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

const CASES: usize = 20_000;

#[derive(Clone, Debug)]
struct Case {
    file: String,
    agent: &'static str,
    path: String,
}

/// The parts that paths are put together from. The first half needs no encoding; in URLs the wildcards at its end are letters
/// of their own.
const PLAIN: &[&str] = &[
    "a",
    "b",
    "ab",
    "/",
    "/",
    "/",
    "?",
    "=",
    ".php",
    "index.html",
    "index.htm",
    "~",
    "A",
];
const WILD: &[&str] = &["*", "*", "$"];
const ENCODED: &[&str] = &[
    "%41", "%2F", "%2f", "%", "%zz", "\u{fc}", "%C3%BC", "%c3%bc", " ", "%7E",
];

fn path(pieces: Vec<&'static str>) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(pieces), 0..6).prop_map(|pieces| pieces.concat())
}

fn rule(pieces: &[&'static str]) -> impl Strategy<Value = String> + use<> {
    let key = prop::sample::select(vec![
        "Allow",
        "Disallow",
        "Disallow",
        "disallow",
        "ALLOW",
        "dissallow",
        "Noindex",
    ]);
    let colon = prop::sample::select(vec![": ", ": ", ":", " : ", " "]);
    let slash = prop::sample::select(vec!["/", "/", "/", "", "*"]);
    let comment = prop::sample::select(vec!["", "", "", " # x", "#"]);
    let path = path([pieces, WILD].concat());
    (key, colon, slash, path, comment)
        .prop_map(|(key, colon, slash, path, comment)| format!("{key}{colon}{slash}{path}{comment}"))
}

fn agent_line() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "User-agent: *",
        "User-agent: *",
        "User-agent: FooBot",
        "user-agent: foobot",
        "User-agent: BarBot",
        "User-agent: FooBot/1.2",
        "useragent: FooBot",
        "User-agent: Foo",
        "Sitemap: https://x.example/s.xml",
        "",
    ])
    .prop_map(str::to_owned)
}

fn case(of_rules: &[&'static str], of_urls: &[&'static str]) -> impl Strategy<Value = Case> + use<> {
    let line = prop_oneof![1 => agent_line(), 3 => rule(of_rules)];
    let lines = (agent_line(), prop::collection::vec(line, 1..7));
    let end = prop::sample::select(vec!["\n", "\n", "\r\n", "\r"]);
    let agent = prop::sample::select(vec!["FooBot", "BarBot", "BazBot"]);
    (lines, end, agent, path(of_urls.to_vec())).prop_map(|((first, others), end, agent, path)| Case {
        file: std::iter::once(first).chain(others).collect::<Vec<_>>().join(end),
        agent,
        path: format!("/{path}"),
    })
}

fn cases() -> Vec<Case> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let any = [PLAIN, WILD, ENCODED].concat();
    let (plain, edges) = (case(PLAIN, PLAIN).boxed(), case(&any, &any).boxed());
    (0..CASES)
        .map(|number| if number % 2 == 0 { &plain } else { &edges })
        .map(|case| case.new_tree(&mut runner).expect("a case").current())
        .collect()
}

#[test]
fn others_come_to_the_same() {
    let cases = cases();
    let mut asked = String::new();
    for Case { file, agent, path } in &cases {
        let url = format!("https://x.example{path}");
        let case = serde_json::json!({ "file": file, "agent": agent, "url": url });
        writeln!(asked, "{case}").expect("a line");
    }
    let python = std::env::var("PHAROS_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/clients/judge_robots.py");
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    let mut input = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || input.write_all(asked.as_bytes()));
    let output = child.wait_with_output().expect("Python ends");
    writer.join().expect("no panic").expect("the cases are read");
    assert!(output.status.success());
    let answers: Vec<serde_json::Value> = output
        .stdout
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).expect("an answer"))
        .collect();
    assert_eq!(answers.len(), CASES);
    let mut compared = [0; 2];
    for (case, answer) in cases.iter().zip(&answers) {
        let file = RobotsFile::parse(case.file.as_bytes());
        let (access, target) = (file.access(case.agent), Target::new(&case.path));
        let ours = access.decide(&target);
        assert_eq!(access.in_order().decide(&target), ours, "{case:?}");
        for (at, (name, why)) in [
            ("google", why_not_google(case)),
            ("protego", why_not_protego(case)),
        ]
        .into_iter()
        .enumerate()
        {
            let Some(theirs) = answer[name].as_bool() else {
                continue;
            };
            if theirs != ours.is_allowed {
                assert!(why.is_some(), "{name} says {theirs}: {case:?} {ours:?}");
            }
            compared[at] += usize::from(why.is_none());
        }
    }
    // Enough cases are left in which nothing may differ.
    assert!(compared.iter().all(|cases| *cases > CASES / 20), "{compared:?}");
}

/// RFC 9309 (section 2.2.2) has paths and URLs compared in one encoding. Google's parser compares the octets of the URL as it
/// gets them, and Protego its own way.
fn differs_by_encoding(case: &Case) -> bool {
    let is_encoded = |text: &str| text.contains(['%', ' ']) || !text.is_ascii();
    let rules = case
        .file
        .split(['\r', '\n'])
        .filter(|line| !line.to_ascii_lowercase().starts_with("user"));
    let mut values = rules.filter_map(|line| line.split('#').next()?.trim().split_once(':'));
    is_encoded(&case.path)
        || case.path.contains(['*', '$'])
        || values.any(|(_, value)| is_encoded(value.trim()))
}

fn why_not_google(case: &Case) -> Option<&'static str> {
    differs_by_encoding(case).then_some("RFC 9309, section 2.2.2")
}

fn why_not_protego(case: &Case) -> Option<&'static str> {
    let holds = |text: &str| case.file.contains(text);
    // Protego encodes the question mark of a rule, so that it counts for three octets.
    if differs_by_encoding(case) || holds("?") {
        return Some("RFC 9309, section 2.2.2");
    }
    // Protego takes a group for every crawler whose name begins with its own, and wants the name without a version.
    if holds("User-agent: Foo\n")
        || holds("User-agent: Foo\r")
        || case.file.ends_with("User-agent: Foo")
        || holds("FooBot/1.2")
    {
        return Some("RFC 9309, section 2.2.1");
    }
    // To Protego any line that is not a crawler's ends the list of a group's crawlers.
    if holds("Noindex") || holds("Sitemap") {
        return Some("Google's parser, ID_LineSyntax_Groups_OtherRules");
    }
    // Google documents that it takes an index page for its folder.
    holds("index.htm").then_some("Google's parser, GoogleOnly_IndexHTMLisDirectory")
}
