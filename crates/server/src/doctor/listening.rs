//! The addresses that Pharos listens on.

use std::{
    io::{Error, ErrorKind},
    net::{SocketAddr, TcpListener},
};

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
        Err(error) => refused(setting, address, &error),
    }
}

/// An address that can't be listened on. Whoever asks the doctor may have fewer rights than the node.
pub(super) fn refused(setting: &'static str, address: SocketAddr, error: &Error) -> Finding {
    if error.kind() == ErrorKind::PermissionDenied {
        let detail = format!(
            "{address} can't be tried by this account, which has no right to that port; the node needs it \
             (CAP_NET_BIND_SERVICE)"
        );
        return Finding::well(setting, detail);
    }
    Finding::wrong(
        setting,
        &format!("{address}: {error}; choose another with {}", variable(setting)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_that_the_account_may_not_have_is_not_a_wrong_one() {
        for (kind, well, words) in [
            (
                ErrorKind::PermissionDenied,
                true,
                "can't be tried by this account",
            ),
            (
                ErrorKind::AddrInUse,
                false,
                "choose another with PHAROS_TLS_LISTEN",
            ),
            (
                ErrorKind::AddrNotAvailable,
                false,
                "choose another with PHAROS_TLS_LISTEN",
            ),
        ] {
            let finding = refused("tls_listen", "0.0.0.0:443".parse().unwrap(), &kind.into());
            assert_eq!(finding.well, well, "{}", finding.detail);
            assert!(finding.detail.contains(words), "{}", finding.detail);
            assert!(finding.detail.contains("0.0.0.0:443"), "{}", finding.detail);
        }
    }
}
