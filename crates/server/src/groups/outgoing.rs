//! The parts that requests to the internet are made with.

use std::path::{Path, PathBuf};

use anyhow::Context;
use pharos_artefacts::bucket::S3Bucket;
use pharos_egress::{resolver::NameResolver, trust::TrustAnchors};
use pharos_mail::mailer::{Mailer, SmtpSettings};

use crate::config::Config;

/// The system's name servers.
pub(crate) fn resolver() -> anyhow::Result<NameResolver> {
    NameResolver::system().context("the system's name servers can't be read")
}

/// The certificate authorities that sites are trusted by: the web's, and those that are configured.
pub(super) fn trust(config: &Config) -> anyhow::Result<TrustAnchors> {
    trusted("probe_roots", config.probe_roots.as_deref())
}

/// The web's authorities, and those in the file of a setting.
pub(crate) fn trusted(setting: &str, file: Option<&Path>) -> anyhow::Result<TrustAnchors> {
    let web = TrustAnchors::web();
    let Some(file) = file else { return Ok(web) };
    let context = || format!("{setting} {}", file.display());
    let pem = std::fs::read(file).with_context(context)?;
    web.with_extra(&pem).with_context(context)
}

/// The bucket that artefacts lie in; `None`: they lie in a folder.
///
/// # Errors
/// `artefacts_roots` can't be read.
pub(crate) fn bucket(config: &Config) -> anyhow::Result<Option<S3Bucket>> {
    let Some(name) = config.artefacts_bucket.clone() else {
        return Ok(None);
    };
    let secret = config.artefacts_secret_access_key.as_ref();
    let secret = secret.map(|secret| secret.reveal().to_owned());
    Ok(Some(S3Bucket {
        name,
        endpoint: config.artefacts_endpoint.clone(),
        region: config.artefacts_region.clone(),
        key: config.artefacts_access_key_id.clone().zip(secret),
        trust: trusted("artefacts_roots", config.artefacts_roots.as_deref())?,
    }))
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
