//! TLS by Pharos itself, as OpenSSL sees it.

use std::{
    convert::Infallible,
    fs::{self, File},
    io::Write,
    net::{SocketAddr, TcpListener},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use bytes::Bytes;
use futures_util::stream::{Pending, pending};
use http_body_util::StreamBody;
use hyper::{Request, body::Frame, client::conn::http2};
use hyper_util::rt::{TokioExecutor, TokioIo};

use crate::{
    doctor::{findings, only},
    harness::{Node, TestApp, openssl::Vault},
};

const KEY: &str = "-newkey ec -pkeyopt ec_paramgen_curve:P-256";
const BASE_URL: &str = "https://shop.example";

/// Sends a request by OpenSSL, which verifies the certificate, and returns what it prints of the connection and the answer.
fn asked(vault: &Vault, address: SocketAddr, protocol: &str) -> String {
    let (address, root) = (address.to_string(), vault.path("root.pem"));
    let mut client = Command::new("openssl")
        .args(["s_client", "-connect", &address, "-servername", "shop.example"])
        .args(["-CAfile", &root, "-verify_hostname", "shop.example"])
        .args(["-verify_return_error", "-ign_eof", "-alpn", protocol])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut request = client.stdin.take().unwrap();
    request.write_all(b"GET /livez HTTP/1.0\r\n\r\n").unwrap();
    drop(request);
    let output = client.wait_with_output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn pem(vault: &Vault, name: &str) -> String {
    let text = String::from_utf8(vault.read(&format!("{name}.pem"))).unwrap();
    text.trim().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_speaks_tls_and_presents_another_certificate_after_sighup() {
    let app = TestApp::start().await;
    let vault = Vault::new("Root");
    vault.issue("first", KEY, 90);
    vault.issue("second", KEY, 90);
    let (certificate, key) = (vault.path("served.pem"), vault.path("served.key"));
    let serve = |name: &str, of: &str| {
        fs::copy(vault.path(&format!("{name}.pem")), &certificate).unwrap();
        fs::copy(vault.path(&format!("{of}.key")), &key).unwrap();
    };
    serve("first", "first");
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let (listen, log) = (address.to_string(), vault.path("log"));
    let node = Node::start_logging(
        &["--roles", "api"],
        &[
            ("PHAROS_DATABASE_URL", app.database.url()),
            ("PHAROS_BASE_URL", BASE_URL),
            ("PHAROS_TLS_LISTEN", listen.as_str()),
            ("PHAROS_TLS_CERTIFICATE", certificate.as_str()),
            ("PHAROS_TLS_KEY", key.as_str()),
        ],
        File::create(&log).unwrap(),
    );
    let said = || fs::read_to_string(&log).unwrap();
    let says = async |words: &str| {
        let deadline = Instant::now() + Duration::from_secs(30);
        while !said().contains(words) {
            assert!(Instant::now() < deadline, "{words}: {}", said());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };

    let first = asked(&vault, address, "http/1.1");
    for part in [
        pem(&vault, "first").as_str(),
        "Verify return code: 0 (ok)",
        "ALPN protocol: http/1.1",
        "strict-transport-security: max-age=31536000",
        "alive",
    ] {
        assert!(first.contains(part), "{part}: {first}");
    }

    serve("second", "first");
    node.signal("HUP");
    says("the certificate can't be read anew; the one of before stays").await;
    assert!(said().contains("is not the key of the certificate"), "{}", said());
    assert!(asked(&vault, address, "http/1.1").contains(&pem(&vault, "first")));

    serve("second", "second");
    node.signal("HUP");
    says("the certificate was read anew").await;
    let second = asked(&vault, address, "http/1.1");
    for part in [pem(&vault, "second").as_str(), "alive"] {
        assert!(second.contains(part), "{part}: {second}");
    }
    node.signal("TERM");
    assert_eq!(node.end(Duration::from_secs(60)), Some(0));
}

/// A body that is never over.
type Endless = StreamBody<Pending<Result<Frame<Bytes>, Infallible>>>;

fn endless(method: &str, path: &str) -> Request<Endless> {
    Request::builder()
        .method(method)
        .uri(format!("{BASE_URL}{path}"))
        .body(StreamBody::new(pending()))
        .unwrap()
}

/// HTTP/2 leaves it to the server how many requests a connection may have open, each of which takes memory.
#[tokio::test(flavor = "multi_thread")]
async fn a_connection_of_http_2_has_so_many_requests_open_at_most() {
    let app = TestApp::start().await;
    let vault = Vault::new("Root");
    vault.issue("served", KEY, 90);
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let listen = address.to_string();
    let (certificate, key) = (vault.path("served.pem"), vault.path("served.key"));
    let _node = Node::start_logging(
        &["--roles", "api"],
        &[
            ("PHAROS_DATABASE_URL", app.database.url()),
            ("PHAROS_BASE_URL", BASE_URL),
            ("PHAROS_TLS_LISTEN", listen.as_str()),
            ("PHAROS_TLS_CERTIFICATE", certificate.as_str()),
            ("PHAROS_TLS_KEY", key.as_str()),
        ],
        File::create(vault.path("log")).unwrap(),
    );
    let mut client = tokio::process::Command::new("openssl")
        .args(["s_client", "-connect", &listen, "-quiet", "-alpn", "h2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let (output, input) = (client.stdout.take().unwrap(), client.stdin.take().unwrap());
    let socket = TokioIo::new(tokio::io::join(output, input));
    let (mut sender, connection) = http2::handshake(TokioExecutor::new(), socket).await.unwrap();
    tokio::spawn(connection);

    // One after the other, each has been answered before the next.
    for _ in 0..300 {
        let answer = sender.send_request(endless("GET", "/livez")).await.unwrap();
        assert_eq!(answer.status(), 200);
    }
    for _ in 0..250 {
        let mut sender = sender.clone();
        tokio::spawn(async move { sender.send_request(endless("POST", "/console/sign-in")).await });
    }
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let answer = sender.send_request(endless("GET", "/livez")).await.unwrap();
        if answer.status() == 503 {
            assert_eq!(answer.headers()["retry-after"], "1");
            break;
        }
        assert!(Instant::now() < deadline, "{} is answered", answer.status());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(asked(&vault, address, "http/1.1").contains("alive"));
}

#[test]
fn a_certificate_that_callers_would_refuse_is_told_by_the_doctor() {
    let vault = Vault::new("Root");
    vault.issue("good", KEY, 90);
    vault.issue("short", KEY, 20);
    let told = |certificate: &str, key: &str, base_url: &str| {
        let (certificate, key) = (vault.path(certificate), vault.path(key));
        let environment = [
            ("PHAROS_DATABASE_URL", "postgres://127.0.0.1:9/pharos"),
            ("PHAROS_BASE_URL", base_url),
            ("PHAROS_TLS_LISTEN", "127.0.0.1:0"),
            ("PHAROS_TLS_CERTIFICATE", certificate.as_str()),
            ("PHAROS_TLS_KEY", key.as_str()),
        ];
        only(findings(&environment, "tls_certificate"))
    };
    for (certificate, key, base_url, well, words) in [
        ("good.pem", "good.key", BASE_URL, true, "good.pem ends on 20"),
        ("short.pem", "short.key", BASE_URL, false, "renew it"),
        (
            "good.pem",
            "short.key",
            BASE_URL,
            false,
            "is not the key of the certificate",
        ),
        ("nowhere.pem", "good.key", BASE_URL, false, "can't be read"),
        (
            "good.key",
            "good.key",
            BASE_URL,
            false,
            "has no certificate in it",
        ),
        ("good.pem", "good.pem", BASE_URL, false, "has no private key"),
        (
            "good.pem",
            "good.key",
            "https://other.example",
            false,
            "is not for the host of https://other.example",
        ),
    ] {
        let (is_well, why) = told(certificate, key, base_url);
        assert!(is_well == well && why.contains(words), "{words}: {why}");
        assert!(!why.contains("BEGIN") && !why.contains("::"), "{why}");
    }
}
