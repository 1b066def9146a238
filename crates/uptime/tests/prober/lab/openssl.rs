//! OpenSSL's command line, which reads certificates and speaks TLS by code of its own.

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

/// What `openssl` prints, given this on its standard input.
pub(crate) fn openssl(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let mut child = Command::new("openssl")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("openssl on this machine");
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap().stdout
}

/// The same as text.
pub(crate) fn text(arguments: &[&str], input: &[u8]) -> String {
    String::from_utf8_lossy(&openssl(arguments, input)).into_owned()
}

/// `openssl s_server`, which answers every request with a page. It ends when it is dropped.
pub(crate) struct TlsServer {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl TlsServer {
    /// Serves with a key and a certificate of its own, made with these arguments of `openssl req -x509`.
    pub(crate) fn start(request: &[&str], options: &[&str]) -> Self {
        let folder = std::env::temp_dir().join(format!("pharos-prober-{}", uuid::Uuid::now_v7()));
        std::fs::create_dir(&folder).unwrap();
        let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
        let (key, certificate) = (path("key.pem"), path("certificate.pem"));
        let made = [
            "req",
            "-x509",
            "-nodes",
            "-subj",
            "/CN=site.test",
            "-keyout",
            &key,
            "-out",
            &certificate,
        ];
        openssl(&[&made[..], request].concat(), b"");
        let mut child = Command::new("openssl")
            .args([
                "s_server",
                "-accept",
                "127.0.0.1:0",
                "-www",
                "-key",
                &key,
                "-cert",
                &certificate,
            ])
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines
            .find_map(|line| {
                line.unwrap()
                    .strip_prefix("ACCEPT ")
                    .map(|at| at.parse().unwrap())
            })
            .expect("openssl s_server says where it listens");
        // It has read them by now.
        std::fs::remove_dir_all(folder).unwrap();
        // Whoever hangs up on its output ends it.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }
}

impl Drop for TlsServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
