use super::*;

fn api(base: &str) -> Api {
    Api::at(base, &TrustAnchors::web()).unwrap()
}

#[test]
fn what_is_no_address_is_refused() {
    for base in [
        "https://pharos.example/",
        "http://127.0.0.1:7070",
        "http://[::1]:1",
    ] {
        assert_eq!(address(base).unwrap(), base.trim_end_matches('/'));
    }
    for path in ["/mcp", "/mcp/", "//mcp"] {
        let base = format!("https://pharos.example{path}");
        assert_eq!(address(&base).unwrap(), "https://pharos.example", "{path}");
    }
    // These are none of it: a host, and another path.
    for base in ["https://mcp", "https://pharos.example/xmcp"] {
        assert_eq!(address(base).unwrap(), base);
    }
    for base in [
        "",
        "pharos.example",
        "pharos.example:7070",
        "ftp://pharos.example",
        "https://",
        "https://a:b@pharos.example",
        "https://pharos.example/?x=1",
        "https://pharos.example/#x",
    ] {
        let refused = address(base).unwrap_err().to_string();
        assert!(refused.contains("such as https://"), "{base}: {refused}");
        assert!(!refused.contains("a:b"), "{refused}");
    }
}

/// A server that answers whatever comes with these bytes.
async fn answering(answer: &'static [u8]) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = socket.accept().await {
            let mut head = [0; 4096];
            let _ = stream.read(&mut head).await;
            let _ = stream.write_all(answer).await;
        }
    });
    format!("http://{address}")
}

#[tokio::test]
async fn an_api_that_is_too_slow_is_given_up() {
    // It takes connections, and answers on none.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let api = Api {
        answers_within: Duration::from_millis(200),
        ..api(&format!("http://{}", silent.local_addr().unwrap()))
    };
    let caller = Caller::with("svc_dev_x", "").unwrap();
    let error = api.follow(&caller, "/api/public/v1/me").await.unwrap_err();
    assert_eq!(error.to_string(), "The API did not answer in time.");
    assert_eq!(error.told()["problem"], "api-away");
}

#[tokio::test]
async fn an_api_that_is_away_or_none_is_told() {
    let caller = Caller::with("svc_dev_x", "").unwrap();
    let broken: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 60\r\n\r\n{";
    let answer = async |status: &str, body: &str| {
        let length = body.len();
        let answer =
            format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}");
        answering(Vec::leak(answer.into_bytes())).await
    };
    let page = "<html></html>";
    for (base, problem) in [
        ("http://127.0.0.1:9".to_owned(), "api-away"),
        (answering(broken).await, "api-away"),
        (answering(b"").await, "api-away"),
        (answer("502 Bad Gateway", page).await, "api-away"),
        (answer("503 Service Unavailable", "").await, "api-away"),
        (answer("200 OK", page).await, "not-the-api"),
        (answer("404 Not Found", page).await, "not-the-api"),
        (answer("301 Moved Permanently", "").await, "not-the-api"),
    ] {
        let api = api(&base);
        // The second time is within the pause in which it is not asked again.
        for _ in 0..2 {
            let error = api.catalogue().await.unwrap_err();
            assert_eq!(error.told()["problem"], problem, "{base}: {error}");
        }
        let error = api.follow(&caller, "/api/public/v1/me").await.unwrap_err();
        assert_eq!(error.told()["problem"], problem, "{base}: {error}");
        assert!(error.told()["what_to_do"].is_string(), "{base}");
    }
    let elsewhere = api("http://127.0.0.1:9").follow(&caller, "@evil.example/x").await;
    assert!(elsewhere.is_err(), "a path is one of the API");
}

#[tokio::test]
async fn a_server_in_front_of_the_api_may_bid_to_wait() {
    let crowded: &[u8] =
        b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 30\r\ncontent-length: 6\r\n\r\n<html>";
    let caller = Caller::with("svc_dev_x", "").unwrap();
    let api = api(&answering(crowded).await);
    let told = api.follow(&caller, "/api/public/v1/me").await.unwrap_err().told();
    assert_eq!(told["status"], 429, "{told}");
    assert_eq!(told[RETRY_AFTER], 30, "{told}");
    assert!(told["what_to_do"].is_string(), "{told}");
}

/// A server that answers with this body.
async fn telling(body: &[u8]) -> String {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
    answering(Vec::leak([head.as_bytes(), body].concat())).await
}

#[tokio::test]
async fn operations_are_kept_for_an_hour_and_asked_for_anew_then() {
    const DOCUMENT: &[u8] = include_bytes!("../../../../docs/openapi.json");
    let catalogue = Arc::new(Catalogue::read(DOCUMENT).unwrap());
    let knowing = async |api: &Api, until: Instant| {
        *api.known.lock().await = Some((until, Ok(Arc::clone(&catalogue))));
        let told = api.catalogue().await.unwrap();
        let holds = api.known.lock().await.as_ref().unwrap().0;
        (Arc::ptr_eq(&told, &catalogue), holds.duration_since(until))
    };
    let (passed, to_come) = (Instant::now(), Instant::now() + Duration::from_secs(60));
    let away = api("http://127.0.0.1:9");
    assert_eq!(knowing(&away, to_come).await, (true, Duration::ZERO));
    // Where it can't be asked, those that were known go on, and it is soon asked once more.
    let (is_known, holds) = knowing(&away, passed).await;
    assert!(
        is_known && (FAILURE_HOLDS..DOCUMENT_HOLDS).contains(&holds),
        "{holds:?}"
    );
    let there = api(&telling(DOCUMENT).await);
    assert_eq!(knowing(&there, to_come).await, (true, Duration::ZERO));
    let (is_known, holds) = knowing(&there, passed).await;
    assert!(!is_known && holds >= DOCUMENT_HOLDS, "{holds:?}");
}

#[tokio::test]
async fn nobody_waits_while_another_asks_anew() {
    use futures_util::future::{Either, select};
    const DOCUMENT: &[u8] = include_bytes!("../../../../docs/openapi.json");
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let api = Api {
        answers_within: Duration::from_secs(2),
        ..api(&format!("http://{}", silent.local_addr().unwrap()))
    };
    let catalogue = Arc::new(Catalogue::read(DOCUMENT).unwrap());
    *api.known.lock().await = Some((Instant::now(), Ok(Arc::clone(&catalogue))));
    let asking = Box::pin(api.catalogue());
    let another = Box::pin(api.catalogue());
    let Either::Right((told, _)) = select(asking, another).await else {
        panic!("the one that asks was answered before");
    };
    assert!(Arc::ptr_eq(&told.unwrap(), &catalogue));
}

#[tokio::test]
async fn a_large_answer_is_read_in_its_callers_turn_and_a_small_one_at_once() {
    use std::sync::mpsc;
    let caller = Caller::with("svc_dev_x", "").unwrap();
    let text = |length: usize| format!("\"{}\"", "x".repeat(length));
    let large = api(&telling(text(2 * READ_AT_ONCE).as_bytes()).await);
    let small = api(&telling(text(READ_AT_ONCE / 2).as_bytes()).await);
    for (api, waits) in [(large, true), (small, false)] {
        let (leave, left) = mpsc::channel();
        let turn = api
            .shaping
            .during(&caller, move || left.recv_timeout(ANSWERS_WITHIN).is_ok());
        let asking = async {
            let asked = api.follow(&caller, "/api/public/v1/me");
            let in_time = timeout(Duration::from_secs(1), asked).await;
            leave.send(()).unwrap();
            in_time.is_err()
        };
        let done = futures_util::future::join(turn, asking).await;
        assert_eq!(done, (Some(true), waits));
        assert!(api.follow(&caller, "/api/public/v1/me").await.is_ok());
    }
}

#[tokio::test]
async fn an_answer_that_is_too_large_is_given_up() {
    let caller = Caller::with("svc_dev_x", "").unwrap();
    let text = |megabytes: usize| format!("\"{}\"", "x".repeat(megabytes * 1024 * 1024));
    for (megabytes, is_read) in [(3, true), (5, false)] {
        let api = api(&telling(text(megabytes).as_bytes()).await);
        let answered = api.follow(&caller, "/api/public/v1/me").await;
        assert_eq!(answered.is_ok(), is_read, "{megabytes} MB");
    }
    let large = text(5);
    let head = format!(
        "HTTP/1.1 200 OK\r\nx-credits-cost: 3\r\nx-credits-remaining: 97\r\ncontent-length: {}\r\n\r\n",
        large.len()
    );
    let api = api(&answering(Vec::leak([head.as_bytes(), large.as_bytes()].concat())).await);
    let told = api.follow(&caller, "/api/public/v1/me").await.unwrap_err().told();
    assert_eq!(told["problem"], "answer-too-large");
    assert_eq!(told["credits"], serde_json::json!({ "cost": 3, "remaining": 97 }));
    assert!(told["what_to_do"].as_str().unwrap().contains("`limit`"), "{told}");
}
