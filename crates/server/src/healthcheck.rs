//! `pharos healthcheck`: whether the node of this machine answers, for containers, which have no other program to ask it by.

use std::{
    io::{Read, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream},
    time::Duration,
};

use anyhow::{Context, bail};

use crate::{config::Config, metrics::endpoint::ELSEWHERE, role::Role};

/// How long the node may take for each step of its answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// A part of Pharos that listens on an address, with the request and the answer that it is known by.
#[derive(Debug)]
pub struct Listens {
    /// The setting of its address.
    pub setting: &'static str,
    path: &'static str,
    answer: &'static str,
}

/// The API, collection and the MCP server.
pub const API: Listens = Listens {
    setting: "listen",
    path: "/livez",
    answer: "alive\n",
};
/// The metrics.
pub const METRICS: Listens = Listens {
    setting: "admin_address",
    path: "/",
    answer: ELSEWHERE,
};

/// Asks the node that this configuration is of: by its address, else by that of its metrics. It is asked whether it lives, not
/// whether its database does: to start it anew would not help that.
///
/// # Errors
/// It does not answer, somebody else does, or it listens nowhere.
pub fn run(config: &Config) -> anyhow::Result<()> {
    let answers = [Role::Api, Role::Ingest, Role::Mcp]
        .iter()
        .any(|role| config.roles.contains(role));
    let (listens, address) = match config.admin_address {
        _ if answers => (&API, config.listen),
        Some(address) => (&METRICS, address),
        None => bail!("a node with these roles listens nowhere; give it an admin_address to be asked by"),
    };
    let asked = is_pharos(listens, address).with_context(|| format!("nobody answers on {address}"))?;
    anyhow::ensure!(asked, "what answers on {address} is no Pharos");
    Ok(())
}

/// Whether this part of Pharos is what answers there.
///
/// # Errors
/// Nobody answers in time.
pub fn is_pharos(listens: &Listens, address: SocketAddr) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect_timeout(&here(address), PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    // In one piece: a server that answers its first part and hangs up breaks the pipe for the rest.
    stream.write_all(format!("GET {} HTTP/1.0\r\n\r\n", listens.path).as_bytes())?;
    let mut answer = Vec::new();
    stream.take(4_096).read_to_end(&mut answer)?;
    Ok(answer.ends_with(listens.answer.as_bytes()))
}

/// Where a socket that listens on all addresses is reached from this machine.
fn here(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}

#[cfg(test)]
mod tests {
    use std::{net::TcpListener, thread};

    use super::*;

    /// Answers one request with this.
    fn answering(answer: &'static str) -> SocketAddr {
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = socket.local_addr().unwrap();
        thread::spawn(move || {
            let (mut stream, _) = socket.accept().unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut octet = [0];
                stream.read_exact(&mut octet).unwrap();
                head.extend(octet);
            }
            stream.write_all(answer.as_bytes()).unwrap();
        });
        address
    }

    fn asked(listen: SocketAddr) -> Result<(), String> {
        let config = Config {
            listen,
            ..Config::default()
        };
        run(&config).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn a_node_is_told_from_others_and_from_nobody() {
        let alive = "HTTP/1.0 200 OK\r\ncontent-length: 6\r\n\r\nalive\n";
        assert_eq!(asked(answering(alive)), Ok(()));
        let everywhere = SocketAddr::new(Ipv4Addr::UNSPECIFIED.into(), answering(alive).port());
        assert_eq!(asked(everywhere), Ok(()));
        let other = answering("HTTP/1.0 200 OK\r\n\r\n<h1>It works</h1>\n");
        assert_eq!(asked(other), Err(format!("what answers on {other} is no Pharos")));
        // Nobody listens on the port that a socket has just left.
        let left = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let refused = asked(left).unwrap_err();
        assert!(
            refused.starts_with(&format!("nobody answers on {left}")),
            "{refused}"
        );
    }

    #[test]
    fn a_worker_is_asked_by_its_metrics() {
        let mut config = Config {
            roles: vec![Role::Worker],
            ..Config::default()
        };
        let refused = run(&config).unwrap_err().to_string();
        assert!(refused.contains("admin_address"), "{refused}");
        config.admin_address = Some(answering(
            "HTTP/1.0 404 Not Found\r\n\r\nThe metrics of Pharos are at /metrics.\n",
        ));
        run(&config).unwrap();
    }
}
