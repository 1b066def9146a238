//! nginx in front of nodes, by the configuration that `deploy/` has for it.

use std::{
    fs,
    net::{SocketAddr, TcpStream},
    process::{Child, Command},
    time::{Duration, Instant},
};

use tempfile::TempDir;

use super::node::{Node, free_address};

const SITE: &str = include_str!("../../../deploy/nginx.conf");
/// The node of that configuration.
const NODE: &str = "    server 127.0.0.1:7070 max_fails=2 fail_timeout=5s;\n";
/// The beginning of its server that leads browsers to https.
const TO_HTTPS: &str = "server {\n    listen 80;";

/// A proxy of its own process. Killed when dropped.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    process: Child,
    _folder: TempDir,
}

impl Proxy {
    pub(crate) fn start(nodes: &[Node]) -> Self {
        let nodes: Vec<SocketAddr> = nodes.iter().map(|node| node.address).collect();
        Self::before(&nodes)
    }

    /// The same for whatever answers on these addresses.
    pub(crate) fn before(nodes: &[SocketAddr]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = free_address();
        let here = folder.path().display();
        let aside = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
        let aside = aside.map(|of| format!("{of}_temp_path {here}/{of};\n")).concat();
        let site = site(address, nodes);
        // One process, which needs no account of its own.
        let configuration = format!(
            "daemon off;\nmaster_process off;\npid {here}/pid;\nerror_log stderr crit;\nevents {{}}\n\
             http {{\naccess_log off;\n{aside}{site}}}\n"
        );
        let file = folder.path().join("nginx.conf");
        fs::write(&file, configuration).unwrap();
        let program = std::env::var("PHAROS_TEST_NGINX").unwrap_or_else(|_| "nginx".to_owned());
        let mut command = Command::new(&program);
        command.arg("-p").arg(folder.path()).arg("-c").arg(&file);
        let process = command
            .spawn()
            .unwrap_or_else(|error| panic!("{program}: {error}; `cargo xtask test` brings it"));
        let deadline = Instant::now() + Duration::from_secs(30);
        while TcpStream::connect(address).is_err() {
            assert!(Instant::now() < deadline, "nginx does not answer");
            std::thread::sleep(Duration::from_millis(5));
        }
        Self {
            address,
            process,
            _folder: folder,
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The site in front of these nodes on this address, without TLS and what leads there.
fn site(address: SocketAddr, nodes: &[SocketAddr]) -> String {
    assert_eq!(SITE.matches(NODE).count(), 1);
    let line = |node: &SocketAddr| NODE.replace("127.0.0.1:7070", &node.to_string());
    let lines: String = nodes.iter().map(line).collect();
    let (upstream, servers) = SITE.split_once(TO_HTTPS).unwrap();
    let (_, site) = servers.split_once("\n}\n").unwrap();
    let is_of_tls = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("listen ") || line.starts_with("ssl_")
    };
    let site: Vec<&str> = site.lines().filter(|line| !is_of_tls(line)).collect();
    let listens = format!("server {{\n    listen {address};");
    let site = site.join("\n").replacen("server {", &listens, 1);
    format!("{}{site}\n", upstream.replace(NODE, &lines))
}
