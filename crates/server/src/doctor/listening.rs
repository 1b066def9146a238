//! The addresses that Pharos listens on.

use std::net::{SocketAddr, TcpListener};

use super::Finding;
use crate::{
    healthcheck::{Listens, is_pharos},
    settings::variable,
};

pub(super) fn listen(listens: &Listens, address: SocketAddr) -> Finding {
    let setting = listens.setting;
    match TcpListener::bind(address) {
        Ok(_) => Finding::well(setting, format!("{address} is free")),
        Err(_) if is_pharos(listens, address).unwrap_or(false) => {
            Finding::well(setting, format!("Pharos runs on {address}"))
        }
        Err(error) => Finding::wrong(
            setting,
            &format!("{address}: {error}; choose another with {}", variable(setting)),
        ),
    }
}
