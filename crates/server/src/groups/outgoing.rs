//! The parts that requests to the internet are made with.

use std::path::PathBuf;

use anyhow::Context;
use pharos_egress::{resolver::NameResolver, trust::TrustAnchors};
use pharos_mail::mailer::{Mailer, SmtpSettings};

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

/// The way to the configured mail server; `None` where none is.
///
/// # Errors
/// A setting can't be read, or `smtp_roots` can't.
pub(crate) fn mailer(config: &Config) -> anyhow::Result<Option<Mailer>> {
    let Some((url, from)) = config.smtp_url.clone().zip(config.mail_from.clone()) else {
        return Ok(None);
    };
    let read = |file: &PathBuf| std::fs::read(file).with_context(|| format!("smtp_roots {}", file.display()));
    let extra_roots = config.smtp_roots.as_ref().map(read).transpose()?;
    let mailer = Mailer::new(&SmtpSettings {
        url,
        from,
        extra_roots,
    })
    .context("smtp_url and mail_from")?;
    Ok(Some(mailer))
}
