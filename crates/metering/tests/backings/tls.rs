//! Redis behind TLS. Whom to trust is read from the environment, so the tests run in processes of their own.

use std::{net::TcpListener, path::Path, process::Command};

use pharos_metering::redis::Redis;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use tempfile::TempDir;

use crate::harness::RedisServer;

/// Where the other process finds the server.
const URL: &str = "PHAROS_TEST_REDISS_URL";

/// A server with a certificate for `localhost`, in whose folder that lies as `certificate.pem`.
fn start() -> (RedisServer, String, TempDir) {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let files = TempDir::with_prefix("pharos-tls-").unwrap();
    let file = |name: &str, text: String| {
        let path = files.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let certificate = file("certificate.pem", cert.pem());
    let key = file("key.pem", signing_key.serialize_pem());
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let server = RedisServer::start_with(&[
        "--tls-port",
        &port.to_string(),
        "--tls-cert-file",
        &certificate,
        "--tls-key-file",
        &key,
        "--tls-ca-cert-file",
        &certificate,
        "--tls-auth-clients",
        "no",
    ]);
    (server, format!("rediss://localhost:{port}"), files)
}

/// Runs one of the tests below in a process that trusts this file.
fn run(test: &str, url: &str, trusted: &Path) {
    let status = Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--ignored"])
        .env(URL, url)
        .env("SSL_CERT_FILE", trusted)
        .env_remove("SSL_CERT_DIR")
        .status()
        .unwrap();
    assert!(status.success());
}

#[test]
fn a_redis_whose_certificate_is_trusted_is_there() {
    let (_server, url, files) = start();
    run(
        "tls::other_process::it_is_there",
        &url,
        &files.path().join("certificate.pem"),
    );
}

#[test]
fn a_redis_whose_certificate_is_not_trusted_is_away() {
    let (_server, url, _) = start();
    let (_, _, strangers) = start();
    run(
        "tls::other_process::it_is_away",
        &url,
        &strangers.path().join("certificate.pem"),
    );
}

mod other_process {
    use pharos_supervisor::Supervisor;

    use super::{Redis, URL};

    async fn is_available() -> bool {
        let url = std::env::var(URL).unwrap();
        let redis = Redis::connect(&url, &Supervisor::default()).await;
        redis.unwrap().is_available()
    }

    #[tokio::test]
    #[ignore = "started by the tests above"]
    async fn it_is_there() {
        assert!(is_available().await);
    }

    #[tokio::test]
    #[ignore = "started by the tests above"]
    async fn it_is_away() {
        assert!(!is_available().await);
    }
}
