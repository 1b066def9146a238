//! OpenSSL's command line, which reads certificates and speaks TLS by code of its own.

use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use super::{Authority, Server};

/// The output of `openssl`, given this on its standard input.
pub(crate) fn text(arguments: &[&str], input: &[u8]) -> String {
    let mut child = Command::new("openssl")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("openssl on this machine");
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap().stdout;
    String::from_utf8_lossy(&output).into_owned()
}

/// The rest of the line of a printed certificate that begins like this.
pub(crate) fn after<'a>(printed: &'a str, start: &str) -> &'a str {
    let mut lines = printed.lines().map(str::trim);
    let found = lines.find_map(|line| line.strip_prefix(start));
    found.unwrap_or_else(|| panic!("{start} in {printed}"))
}

/// The output of `openssl s_client` for a server that is to be `site.test`.
pub(crate) async fn s_client(server: &Server, authority: &Authority, options: &[&str]) -> String {
    let roots = std::env::temp_dir().join(format!("pharos-roots-{}.pem", uuid::Uuid::now_v7()));
    std::fs::write(&roots, authority.pem()).unwrap();
    let address = server.address.to_string();
    let path = roots.to_string_lossy().into_owned();
    let mut arguments = vec!["s_client", "-connect", &address, "-servername", "site.test"];
    arguments.extend(["-verify_hostname", "site.test", "-CAfile", &path, "-showcerts"]);
    arguments.extend(options);
    let arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
    let seen = tokio::task::spawn_blocking(move || {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        text(&arguments, b"")
    });
    let seen = seen.await.unwrap();
    std::fs::remove_file(roots).unwrap();
    seen
}

/// `openssl s_server`, which answers every request with a page. It ends when it is dropped.
pub(crate) struct TlsServer {
    child: Child,
    pub(crate) address: SocketAddr,
    /// Its certificate as PEM.
    pub(crate) certificate: String,
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
        text(&[&made[..], request].concat(), b"");
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
        let certificate = std::fs::read_to_string(certificate).unwrap();
        // It has read them by now.
        std::fs::remove_dir_all(folder).unwrap();
        // Whoever hangs up on its output ends it.
        std::thread::spawn(move || lines.for_each(drop));
        Self {
            child,
            address,
            certificate,
        }
    }
}

impl Drop for TlsServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
