//! Sites whose robots.txt is none, or worse.

use serde_json::{Value, json};

use super::{
    get,
    lab::{Lab, answer, file},
};
use crate::harness::TestApp;

const GOOD: &[u8] = b"User-agent: *\nDisallow: /cart\n";

async fn lab() -> (TestApp, Lab) {
    let app = TestApp::start().await;
    let lab = Lab::open().await;
    lab.is_site_of(&app).await;
    (app, lab)
}

/// The state and the policy, after a check.
async fn state(app: &TestApp, lab: &Lab) -> (Value, Value) {
    lab.check(app).await;
    app.clock.advance(time::Duration::minutes(10));
    let overview = get(app, "overview").await.ok();
    (overview["state"].clone(), overview["effective_policy"].clone())
}

async fn codes(app: &TestApp) -> Vec<Value> {
    let issues = get(app, "issues").await.ok();
    let items = issues["items"].as_array().unwrap().clone();
    items.into_iter().map(|issue| issue["code"].clone()).collect()
}

async fn last_check(app: &TestApp) -> Value {
    get(app, "checks").await.ok()["items"][0].clone()
}

#[tokio::test]
async fn each_answer_has_its_state_and_its_policy() {
    let (app, lab) = lab().await;
    let utf_16: Vec<u8> = "User-agent: *\nDisallow: /\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let utf_16 = [&b"\xff\xfe"[..], &utf_16].concat();
    let groups: String = (0..100_000)
        .map(|number| format!("User-agent: a{number}\nDisallow: /\n"))
        .collect();
    let one_line = [&b"User-agent: *\nDisallow: /"[..], &vec![b'a'; 10 * 1024 * 1024]].concat();
    // As much as is announced never comes.
    let of_2_gb = [
        &b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2147483648\r\n\r\n"[..],
        &vec![b'#'; 1024 * 1024],
    ]
    .concat();
    for (name, said, expected) in [
        ("a file", file(GOOD), ("ok", "as_written")),
        (
            "a page",
            file(b"<!doctype html><title>Shop</title>"),
            ("html_instead", "allow_all"),
        ),
        (
            "a page with a mark of the byte order",
            file(b"\xef\xbb\xbf<!doctype html>\nUser-agent: *\nDisallow: /\n"),
            ("html_instead", "allow_all"),
        ),
        ("nothing", file(b""), ("empty", "allow_all")),
        ("no file", answer(404, "", b"gone"), ("missing", "allow_all")),
        ("UTF-16", file(&utf_16), ("empty", "allow_all")),
        (
            "NULs",
            file(b"User-agent: a\0\nDisallow: /a\0b\n\0\0\0\nUser-agent: a\0\nDisallow: /\n"),
            ("ok", "as_written"),
        ),
        (
            "100,000 groups",
            file(groups.as_bytes()),
            ("too_large", "as_written"),
        ),
        ("a line of 10 MB", file(&one_line), ("too_large", "as_written")),
        ("2 GB", of_2_gb, ("too_large", "as_written")),
        (
            "a failing server",
            answer(503, "", b""),
            ("server_error", "disallow_all"),
        ),
        (
            "a busy server",
            answer(429, "retry-after: 600\r\n", b""),
            ("server_error", "disallow_all"),
        ),
        (
            "no HTTP",
            b"hello\r\n\r\n".to_vec(),
            ("unreachable", "disallow_all"),
        ),
    ] {
        lab.say(move |_| said.clone());
        let (state, policy) = state(&app, &lab).await;
        assert_eq!(
            (state.as_str().unwrap(), policy.as_str().unwrap()),
            expected,
            "{name}"
        );
    }
    let set_aside = app.sql("SELECT subject, reason FROM set_aside").await;
    assert!(set_aside.is_empty(), "{set_aside:?}");
}

#[tokio::test]
async fn what_is_no_text_in_utf_8_is_told() {
    let (app, lab) = lab().await;
    let utf_16: Vec<u8> = GOOD.iter().flat_map(|byte| [*byte, 0]).collect();
    let utf_16 = [&b"\xff\xfe"[..], &utf_16].concat();
    lab.say(move |_| file(&utf_16));
    state(&app, &lab).await;
    let current = get(&app, "current").await.ok();
    assert_eq!(
        (&current["encoding"], &current["has_bom"]),
        (&json!("utf-16"), &json!(false))
    );
    let found = codes(&app).await;
    assert!(found.contains(&json!("not_utf8")), "{found:?}");

    lab.say(|_| answer(200, "content-type: application/octet-stream\r\n", GOOD));
    state(&app, &lab).await;
    assert_eq!(codes(&app).await, [json!("wrong_content_type")]);
    lab.say(|_| answer(200, "", GOOD));
    state(&app, &lab).await;
    assert_eq!(
        codes(&app).await,
        Vec::<Value>::new(),
        "nothing is held against a server that names none"
    );
}

#[tokio::test]
async fn a_body_without_end_is_cut_at_500_kib() {
    let (app, lab) = lab().await;
    let chunk = format!("{:x}\r\n{}\r\n", 65_536, "#".repeat(65_536));
    let said = [
        b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n".to_vec(),
        chunk.repeat(64).into_bytes(),
    ]
    .concat();
    lab.say(move |_| said.clone());
    assert_eq!(state(&app, &lab).await, (json!("too_large"), json!("as_written")));
    let current = get(&app, "current").await.ok();
    assert_eq!(
        (&current["size_bytes"], &current["truncated"]),
        (&json!(512_000), &json!(true))
    );
    assert!(codes(&app).await.contains(&json!("file_too_large")));
}

#[tokio::test]
async fn a_failed_fetch_leaves_the_last_good_version() {
    let (app, lab) = lab().await;
    lab.say(|_| file(GOOD));
    state(&app, &lab).await;
    lab.say(|_| answer(500, "", b""));
    assert_eq!(
        state(&app, &lab).await,
        (json!("server_error"), json!("disallow_all"))
    );
    let current = get(&app, "current").await.ok();
    assert_eq!(current["content"], json!(String::from_utf8_lossy(GOOD)));
    let versions = get(&app, "versions").await.ok();
    assert_eq!(versions["items"].as_array().unwrap().len(), 1);
    let check = last_check(&app).await;
    assert_eq!(
        (&check["outcome"], &check["status_code"], &check["version_id"]),
        (&json!("failed"), &json!(500), &Value::Null)
    );
}

#[tokio::test]
async fn redirects_are_judged_and_five_are_followed() {
    let (app, lab) = lab().await;
    let to = |location: &'static str| move |_: &str| answer(302, &format!("location: {location}\r\n"), b"");
    for location in [
        "file:///etc/passwd",
        "http://10.0.0.1/robots.txt",
        "http://[::1]/robots.txt",
    ] {
        lab.say(to(location));
        assert_eq!(
            state(&app, &lab).await,
            (json!("unreachable"), json!("disallow_all")),
            "{location}"
        );
        let check = last_check(&app).await;
        assert_eq!(check["error_class"], json!("refused"), "{location}");
    }
    // To itself.
    lab.say(to("/robots.txt"));
    assert_eq!(state(&app, &lab).await, (json!("missing"), json!("allow_all")));
    assert_eq!(codes(&app).await, [json!("redirect_chain")], "that is why");

    // `/robots.txt`, `/1` and so on: the file is behind the last of so many redirects.
    let chain = |most: usize| {
        move |head: &str| {
            let path = head.split(' ').nth(1).unwrap_or_default();
            let step: usize = path.trim_start_matches('/').parse().unwrap_or_default();
            if step == most {
                return file(GOOD);
            }
            answer(301, &format!("location: /{}\r\n", step + 1), b"")
        }
    };
    lab.say(chain(6));
    assert_eq!(state(&app, &lab).await, (json!("missing"), json!("allow_all")));
    assert_eq!(codes(&app).await, [json!("redirect_chain")], "that is why");
    lab.say(chain(5));
    assert_eq!(state(&app, &lab).await, (json!("ok"), json!("as_written")));
    assert_eq!(codes(&app).await, [json!("redirect_chain")]);
    let current = get(&app, "current").await.ok();
    assert_eq!(current["redirects"].as_array().unwrap().len(), 5);
    assert_eq!(current["final_url"], json!(format!("http://{}/5", lab.address)));

    // Another host: the same machine by another name of it, which nobody permits.
    let other = format!("http://localhost:{}/robots.txt", lab.address.port());
    let said = answer(301, &format!("location: {other}\r\n"), b"");
    lab.say(move |_| said.clone());
    assert_eq!(state(&app, &lab).await.0, json!("unreachable"));
}

#[tokio::test]
async fn a_file_on_another_host_is_obeyed_and_told() {
    let (app, mut lab) = lab().await;
    let other = Lab::open_at("127.0.0.2").await;
    other.say(|_| file(GOOD));
    lab.permit(&other);
    let there = format!("http://{}/robots.txt", other.address);
    let said = answer(301, &format!("location: {there}\r\n"), b"");
    lab.say(move |_| said.clone());
    assert_eq!(
        state(&app, &lab).await,
        (json!("redirected_off_host"), json!("as_written"))
    );
    let current = get(&app, "current").await.ok();
    assert_eq!(
        (&current["final_url"], &current["content"]),
        (&json!(there), &json!(String::from_utf8_lossy(GOOD)))
    );
    let crawlers = get(&app, "crawlers?path=/cart").await.ok();
    assert_eq!(crawlers["items"][0]["root_access"], json!("disallowed"));
}

#[tokio::test]
async fn what_is_known_is_not_sent_again() {
    let (app, lab) = lab().await;
    lab.say(|head| {
        if head.to_lowercase().contains("if-none-match: \"one\"") {
            return answer(304, "", b"");
        }
        answer(200, "content-type: text/plain\r\netag: \"one\"\r\n", GOOD)
    });
    state(&app, &lab).await;
    assert_eq!(state(&app, &lab).await, (json!("ok"), json!("as_written")));
    let check = last_check(&app).await;
    assert_eq!(
        (&check["outcome"], &check["status_code"], &check["size_bytes"]),
        (&json!("unchanged"), &json!(304), &json!(GOOD.len()))
    );
    let heads = lab.heads.lock().unwrap().clone();
    let page = format!("(+http://{}/docs/crawler)", app.address);
    assert!(
        heads[0].contains("Pharos/") && heads[0].contains(&page),
        "{heads:?}"
    );
    let told = app.request("GET", "//docs/crawler").send_unchecked().await;
    assert_eq!(told.status, 200);
    assert!(String::from_utf8_lossy(&told.body).contains("User-agent: Pharos"));
    assert_eq!(heads.len(), 2);
}

#[tokio::test]
async fn sitemaps_are_asked_for_when_the_file_changes() {
    let (app, lab) = lab().await;
    let (here, there) = (lab.address, "http://10.0.0.1/sitemap.xml");
    let text = format!(
        "Sitemap: http://{here}/one.xml\nSitemap: http://{here}/two.xml\nSitemap: {there}\nSitemap: /rel.xml\n"
    );
    lab.say(move |head| match head.split(' ').nth(1) {
        Some("/robots.txt") => file(text.as_bytes()),
        Some("/one.xml") => answer(200, "", b"<urlset/>"),
        _ => answer(404, "", b""),
    });
    state(&app, &lab).await;
    let rules = get(&app, "rules").await.ok();
    let seen: Vec<_> = rules["sitemaps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| {
            (
                line["reachable"].clone(),
                line["status_code"].clone(),
                line["same_host"].clone(),
            )
        })
        .collect();
    let (yes, no, null) = (json!(true), json!(false), Value::Null);
    assert_eq!(
        seen,
        [
            (yes.clone(), json!(200), yes.clone()),
            (no.clone(), json!(404), yes.clone()),
            (no.clone(), null.clone(), no),
            (null.clone(), null, yes),
        ]
    );
    assert_eq!(
        codes(&app).await,
        [
            "sitemap_unreachable",
            "sitemap_off_host",
            "sitemap_unreachable",
            "relative_sitemap_url"
        ]
        .map(Value::from)
    );
    let asked = lab.heads.lock().unwrap().len();
    state(&app, &lab).await;
    assert_eq!(lab.heads.lock().unwrap().len(), asked + 1, "the file alone");
}

/// The server sends the file only if it changed.
#[tokio::test]
async fn sitemaps_are_asked_for_each_day_though_the_file_is_what_it_was() {
    let (app, lab) = lab().await;
    let text = format!("Sitemap: http://{}/one.xml\n", lab.address);
    let with_sitemap = |status: u16| {
        let text = text.clone();
        move |head: &str| match head.split(' ').nth(1) {
            Some("/robots.txt") if head.to_lowercase().contains("if-none-match: \"one\"") => {
                answer(304, "", b"")
            }
            Some("/robots.txt") => answer(
                200,
                "content-type: text/plain\r\netag: \"one\"\r\n",
                text.as_bytes(),
            ),
            _ => answer(status, "", b""),
        }
    };
    let reachable = async || get(&app, "rules").await.ok()["sitemaps"][0]["reachable"].clone();
    lab.say(with_sitemap(200));
    state(&app, &lab).await;
    assert_eq!(reachable().await, json!(true));
    lab.say(with_sitemap(404));
    state(&app, &lab).await;
    assert_eq!(last_check(&app).await["status_code"], json!(304));
    assert_eq!(reachable().await, json!(true), "it was asked for ten minutes ago");
    app.clock.advance(time::Duration::DAY);
    state(&app, &lab).await;
    assert_eq!(reachable().await, json!(false));
    assert_eq!(codes(&app).await, [json!("sitemap_unreachable")]);
    let check = last_check(&app).await;
    assert_eq!(check["outcome"], json!("unchanged"));
}

/// All on addresses that nobody may ask for.
#[tokio::test]
async fn ten_of_a_hundred_sitemaps_are_asked_for() {
    let (app, lab) = lab().await;
    let text: String = (1..=100)
        .map(|number| format!("Sitemap: http://10.0.0.{number}/sitemap.xml\n"))
        .collect();
    lab.say(move |_| file(text.as_bytes()));
    state(&app, &lab).await;
    let rules = get(&app, "rules").await.ok();
    let lines = rules["sitemaps"].as_array().unwrap();
    assert_eq!(lines.len(), 100);
    for (at, line) in lines.iter().enumerate() {
        let reachable = if at < 10 { json!(false) } else { Value::Null };
        assert_eq!(
            (&line["reachable"], &line["status_code"], &line["same_host"]),
            (&reachable, &Value::Null, &json!(false)),
            "{line}"
        );
    }
    assert_eq!(get(&app, "overview").await.ok()["sitemaps_count"], json!(100));
}
