//! The addresses that Pharos listens on.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    time::Duration,
};

use super::Finding;
use crate::metrics::endpoint::ELSEWHERE;

/// A part of Pharos that listens on an address, with the request and the answer that it is known by.
pub(super) struct Listens {
    setting: &'static str,
    path: &'static str,
    answer: &'static str,
}

pub(super) const API: Listens = Listens {
    setting: "listen",
    path: "/livez",
    answer: "alive\n",
};
pub(super) const METRICS: Listens = Listens {
    setting: "admin_address",
    path: "/",
    answer: ELSEWHERE,
};

pub(super) fn listen(listens: &Listens, address: SocketAddr) -> Finding {
    let setting = listens.setting;
    match TcpListener::bind(address) {
        Ok(_) => Finding::well(setting, format!("{address} is free")),
        Err(_) if is_pharos(listens, address) => Finding::well(setting, format!("Pharos runs on {address}")),
        Err(error) => {
            let variable = format!("PHAROS_{}", setting.to_ascii_uppercase());
            Finding::wrong(
                setting,
                &format!("{address}: {error}; choose another with {variable}"),
            )
        }
    }
}

fn is_pharos(listens: &Listens, address: SocketAddr) -> bool {
    let asked = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
        stream.set_read_timeout(Some(Duration::from_secs(1)))?;
        write!(stream, "GET {} HTTP/1.0\r\n\r\n", listens.path)?;
        let mut answer = Vec::new();
        stream.take(4_096).read_to_end(&mut answer)?;
        Ok(answer.ends_with(listens.answer.as_bytes()))
    };
    asked().unwrap_or(false)
}
