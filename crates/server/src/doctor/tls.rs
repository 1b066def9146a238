//! TLS by Pharos itself: its address, and its certificate.

use std::net::{SocketAddr, TcpListener};

use pharos_egress::trust::server_name;
use pharos_uptime::certificate::Certificate;
use rustls::{client::verify_server_name, server::ParsedCertificate};
use time::{Duration, OffsetDateTime};
use url::Url;

use super::{Finding, listening::refused};
use crate::{
    config::Config,
    healthcheck::{API, is_pharos},
    sentence::sentence,
    tls::CertificateFiles,
};

/// With less time than this, whatever renews the certificate has failed.
const LEAST: Duration = Duration::days(21);

/// The address and the certificate, where there are any.
pub(super) fn tls(config: &Config) -> Vec<Finding> {
    config.tls().map_or_else(Vec::new, |(address, files)| {
        let base_url = config.addresses().base_url;
        vec![
            listen(config, address),
            certificate(&base_url, &files, OffsetDateTime::now_utc()),
        ]
    })
}

fn listen(config: &Config, address: SocketAddr) -> Finding {
    const WHAT: &str = "tls_listen";
    match TcpListener::bind(address) {
        Ok(_) => Finding::well(WHAT, format!("{address} is free")),
        // A node that runs is asked without TLS, and has both addresses.
        Err(_) if is_pharos(&API, config.listen).unwrap_or(false) => Finding::well(
            WHAT,
            format!("{address} is taken, and Pharos runs on {}", config.listen),
        ),
        Err(error) => refused(WHAT, address, &error),
    }
}

fn certificate(base_url: &str, files: &CertificateFiles, now: OffsetDateTime) -> Finding {
    const WHAT: &str = "tls_certificate";
    let file = files.certificate.display();
    let read = match files.read() {
        Ok(read) => read,
        Err(error) => return Finding::wrong(WHAT, &sentence(&error)),
    };
    let leaf = read.cert.first();
    let Some((leaf, told)) = leaf.and_then(|leaf| Some((leaf, Certificate::read(leaf)?))) else {
        return Finding::wrong(WHAT, &format!("{file}: the certificate can't be read"));
    };
    let until = told.valid_until.date();
    if told.valid_until - now < LEAST {
        let detail = format!(
            "{file} ends on {until}: renew it, and have the node read it by SIGHUP (systemctl reload pharos)"
        );
        return Finding::wrong(WHAT, &detail);
    }
    let host = Url::parse(base_url)
        .ok()
        .and_then(|url| server_name(&url.host()?));
    let parsed = ParsedCertificate::try_from(leaf).ok();
    let is_named = parsed
        .zip(host)
        .is_some_and(|(leaf, host)| verify_server_name(&leaf, &host).is_ok());
    if !is_named {
        let detail =
            format!("{file} is not for the host of {base_url}, which callers open: browsers refuse it");
        return Finding::wrong(WHAT, &detail);
    }
    Finding::well(WHAT, format!("{file} ends on {until}"))
}
