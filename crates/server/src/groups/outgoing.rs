//! The parts that requests to the internet are made with.

use anyhow::Context;
use pharos_egress::{resolver::NameResolver, trust::TrustAnchors};

use crate::config::Config;

/// The system's name servers.
pub(super) fn resolver() -> anyhow::Result<NameResolver> {
    NameResolver::system().context("the system's name servers can't be read")
}

/// The certificate authorities that are trusted: the web's, and those that are configured.
pub(super) fn trust(config: &Config) -> anyhow::Result<TrustAnchors> {
    let mut trust = TrustAnchors::web();
    if let Some(file) = &config.probe_roots {
        let pem = std::fs::read(file).with_context(|| format!("probe_roots {}", file.display()))?;
        trust = trust
            .with_extra(&pem)
            .with_context(|| format!("probe_roots {}", file.display()))?;
    }
    Ok(trust)
}
