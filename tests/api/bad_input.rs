//! Input that is refused, with a problem that names the fault, and input that is accepted.

use serde_json::json;

use crate::harness::{Reply, TestApp, raw};

fn config(app: &TestApp) -> String {
    format!("/domains/{}/uptime/config", app.world.domain)
}

async fn put(app: &TestApp, body: impl Into<bytes::Bytes>) -> Reply {
    app.request("PUT", &config(app))
        .key(&app.world.key)
        .body("application/json", body)
        .send()
        .await
}

#[tokio::test]
async fn a_credential_stands_in_one_authorization_header_and_nowhere_else() {
    let app = TestApp::start().await;
    let key = &app.world.key;
    app.get("/me", key)
        .key(key)
        .send()
        .await
        .problem(401, "invalid-credential");
    let in_query = format!("/me?access_token={}", key.secret);
    app.request("GET", &in_query)
        .send()
        .await
        .problem(401, "missing-credential");
    let refused = app.get(&in_query, key).send().await;
    assert_eq!(refused.faults(), ["access_token"]);
    assert!(
        !String::from_utf8_lossy(&refused.body).contains(&key.secret),
        "the secret is not echoed"
    );
    for value in [
        "Basic dXNlcjpwYXNz",
        "Bearer",
        &key.secret,
        "Bearer a b",
        "Bearer \u{e9}",
    ] {
        let reply = app
            .request("GET", "/me")
            .header("authorization", value)
            .send()
            .await;
        reply.problem(401, "invalid-credential");
    }
}

#[tokio::test]
async fn forms_that_the_rfcs_allow_are_accepted() {
    let app = TestApp::start().await;
    let secret = &app.world.key.secret;
    for value in [
        format!("bearer {secret}"),
        format!("BEARER {secret}"),
        format!("Bearer {secret} \t"),
    ] {
        app.request("GET", "/me")
            .header("authorization", value)
            .send()
            .await
            .ok();
    }
    let upper = app.world.domain.to_string().to_uppercase();
    app.get(&format!("/domains/{upper}"), &app.world.key)
        .send()
        .await
        .ok();
    let upper = app.world.workspace.to_string().to_uppercase();
    app.get(&format!("/domains?workspace_id={upper}"), &app.world.key)
        .send()
        .await
        .ok();
}

#[tokio::test]
async fn nul_and_invalid_utf8_are_refused_wherever_they_stand() {
    let app = TestApp::start().await;
    for id in ["%00", "%ff%fe", "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e1%00"] {
        let reply = app.get(&format!("/domains/{id}"), &app.world.key).send().await;
        assert!(reply.faults().iter().all(|name| name == "domain_id"), "{id}");
    }
    assert_eq!(
        app.get("/domains?workspace_id=%00", &app.world.key)
            .send()
            .await
            .faults(),
        ["workspace_id"]
    );
    assert_eq!(
        app.get("/domains?workspace_id=%ff", &app.world.key)
            .send()
            .await
            .faults(),
        ["workspace_id"]
    );
    assert_eq!(
        put(&app, r#"{"keyword":"a\u0000b"}"#).await.faults(),
        ["/keyword"]
    );
    assert_eq!(put(&app, b"{\"keyword\":\"\xff\"}".to_vec()).await.faults(), [""]);
}

#[tokio::test]
async fn a_body_is_one_well_formed_object_of_json() {
    let app = TestApp::start().await;
    let deep = format!("{{\"regions\":{}{}}}", "[".repeat(1_000), "]".repeat(1_000));
    for body in [
        "",
        "{",
        "[]",
        "null",
        "1",
        "{}{}",
        "{'a':1}",
        "{\"enabled\":true,}",
        "NaN",
        deep.as_str(),
    ] {
        assert_eq!(put(&app, body.to_owned()).await.faults(), [""], "{body:.40}");
    }
    assert_eq!(
        put(&app, r#"{"enabled":true,"enabled":false}"#).await.faults(),
        ["/enabled"]
    );
    let no_type = app.request("PUT", &config(&app)).key(&app.world.key).send().await;
    no_type.problem(415, "unsupported-media-type");
    let form = app
        .request("PUT", &config(&app))
        .key(&app.world.key)
        .body("text/plain", "{}")
        .send()
        .await;
    form.problem(415, "unsupported-media-type");
    let packed = app
        .request("PUT", &config(&app))
        .key(&app.world.key)
        .header("content-encoding", "gzip");
    packed
        .body("application/json", "{}")
        .send()
        .await
        .problem(415, "unsupported-media-type");
    app.request("PUT", &config(&app))
        .key(&app.world.key)
        .body("Application/JSON; charset=utf-8", "{}")
        .send()
        .await
        .ok();
}

#[tokio::test]
async fn an_oversized_body_is_refused() {
    let app = TestApp::start().await;
    let body = json!({ "keyword": "x".repeat(300 * 1024) }).to_string();
    put(&app, body).await.problem(413, "payload-too-large");
    // Chunked, so that no length announces it.
    let head = format!(
        "PUT /api/public/v1{} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
        config(&app),
        app.world.key.secret
    );
    let mut bytes = head.into_bytes();
    for _ in 0..300 {
        bytes.extend(format!("400\r\n{}\r\n", " ".repeat(1024)).into_bytes());
    }
    bytes.extend(b"0\r\n\r\n");
    let answer = raw(app.address, &bytes).await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer:.300}");
}

#[tokio::test]
async fn numbers_out_of_range_and_numbers_as_strings_are_refused() {
    let app = TestApp::start().await;
    let body = r#"{"timeout_seconds":1e400,"interval_seconds":60}"#;
    assert_eq!(put(&app, body).await.faults(), ["/timeout_seconds"]);
    let body = json!({
        "timeout_seconds": 4_294_967_296_u64,
        "interval_seconds": "60",
        "confirmation_checks": 1.5,
        "recovery_checks": -1,
        "degraded_above_ms": true,
        "ssl_warn_days": [30, "14"],
    });
    let want = [
        "/confirmation_checks",
        "/degraded_above_ms",
        "/interval_seconds",
        "/recovery_checks",
        "/ssl_warn_days/1",
        "/timeout_seconds",
    ];
    assert_eq!(put(&app, body.to_string()).await.faults(), want);
}

#[tokio::test]
async fn a_cursor_of_a_year_that_cannot_be_kept_is_refused() {
    use pharos_domain::page::{ListKey, Position};
    use time::macros::datetime;

    let app = TestApp::start().await;
    put(&app, "{}").await.ok();
    for (operation, list) in [
        ("listUptimeChecks", "checks"),
        ("listUptimeIncidents", "incidents"),
    ] {
        for at in [datetime!(-9999-01-01 00:00 UTC), datetime!(-4800-01-01 00:00 UTC)] {
            let position = Position {
                key: at,
                id: uuid::Uuid::nil(),
            };
            let cursor = position.seal(&ListKey::new(operation, app.world.domain.0));
            let path = format!("/domains/{}/uptime/{list}?cursor={cursor}", app.world.domain);
            assert_eq!(app.get(&path, &app.world.key).send().await.faults(), ["cursor"]);
        }
    }
}

#[tokio::test]
async fn repeated_and_unknown_parameters_are_named() {
    let app = TestApp::start().await;
    let query = "/domains?include_modules=true&include_modules=true&from=2026-01-01&to=2026-02-01&colour=red";
    let reply = app.get(query, &app.world.key).send().await;
    assert_eq!(reply.faults(), ["colour", "from", "include_modules", "to"]);
    let problem = reply.json();
    let windows = problem["errors"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|fault| fault["detail"].to_string().contains("start_date"));
    assert_eq!(
        windows.count(),
        0,
        "it has no window, and would refuse those: {problem}"
    );
}

#[tokio::test]
async fn what_the_http_parser_refuses_gets_a_bare_answer_and_the_server_lives() {
    let app = TestApp::start().await;
    for bytes in [
        &b"GARBAGE\r\n\r\n"[..],
        b"GET /api/public/v1/me\xff HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /api/public/v1/me HTTP/1.1\r\nBad Header: x\r\n\r\n",
        b"GET /api/public/v1/me HTTP/9.9\r\n\r\n",
    ] {
        let answer = raw(app.address, bytes).await;
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 4"),
            "{answer:.100}"
        );
    }
    let mut huge = b"GET /api/public/v1/me HTTP/1.1\r\nHost: x\r\nX-Huge: ".to_vec();
    huge.extend(vec![b'x'; 1_000_000]);
    huge.extend(b"\r\n\r\n");
    let answer = tokio::time::timeout(std::time::Duration::from_secs(10), async {
        let mut stream = tokio::net::TcpStream::connect(app.address).await.unwrap();
        let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, &huge).await;
        let mut answer = [0; 12];
        let _ = tokio::io::AsyncReadExt::read(&mut stream, &mut answer).await;
        String::from_utf8_lossy(&answer).into_owned()
    });
    let answer = answer.await.unwrap();
    assert!(!answer.contains(" 200"), "{answer}");
    app.get("/me", &app.world.key).send().await.ok();
}

/// A byte a minute would keep a connection for ever.
#[tokio::test]
async fn a_body_that_does_not_arrive_is_waited_for_half_a_minute() {
    let app = TestApp::start().await;
    let asked = async |head: String| {
        let mut stream = tokio::net::TcpStream::connect(app.address).await.unwrap();
        let bytes = format!("{head}Host: x\r\nContent-Length: 100\r\n\r\na");
        tokio::io::AsyncWriteExt::write_all(&mut stream, bytes.as_bytes())
            .await
            .unwrap();
        let mut answer = [0; 12];
        tokio::time::timeout(
            std::time::Duration::from_secs(50),
            tokio::io::AsyncReadExt::read_exact(&mut stream, &mut answer),
        )
        .await
        .expect("an answer")
        .unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    };
    let of_api = format!(
        "PUT /api/public/v1/domains/{}/uptime/config HTTP/1.1\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\n",
        app.world.domain, app.world.key.secret
    );
    let of_console = "POST /console/sign-in HTTP/1.1\r\n".to_owned();
    let (api, console) = tokio::join!(asked(of_api), asked(of_console));
    assert_eq!(api, "HTTP/1.1 400");
    assert_eq!(console, "HTTP/1.1 400");
}
