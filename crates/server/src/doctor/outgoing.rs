//! The ways out: names, trust, mail.

use pharos_egress::{resolver::NameResolver, trust::TrustAnchors};

use super::Finding;
use crate::{config::Config, groups::mailer};

pub(super) fn names() -> Finding {
    match NameResolver::system() {
        Ok(_) => Finding::well("name servers", "the system's"),
        Err(error) => Finding::wrong("name servers", &format!("{error}; checks can't look names up")),
    }
}

pub(super) fn roots(config: &Config) -> Finding {
    const WHAT: &str = "trusted authorities";
    let Some(file) = &config.probe_roots else {
        return Finding::well(WHAT, "the web's");
    };
    match std::fs::read(file).map(|pem| TrustAnchors::web().with_extra(&pem)) {
        Ok(Ok(_)) => Finding::well(WHAT, format!("the web's, and those of {}", file.display())),
        Ok(Err(error)) => Finding::wrong(WHAT, &format!("{}: {error}", file.display())),
        Err(error) => Finding::wrong(WHAT, &format!("{}: {error}", file.display())),
    }
}

/// Signs in at the mail server as `serve` would, and sends nothing.
pub(super) async fn mail(config: &Config) -> Finding {
    const WHAT: &str = "mail";
    let mailer = match mailer(config) {
        Ok(Some(mailer)) => mailer,
        Ok(None) => return Finding::well(WHAT, "none is sent, since smtp_url is not set"),
        Err(error) => return Finding::wrong(WHAT, &format!("{error:#}")),
    };
    match mailer.try_server().await {
        Ok(()) => Finding::well(WHAT, "the mail server takes mails"),
        Err(error) => Finding::wrong(
            WHAT,
            &format!("{error}; check PHAROS_SMTP_URL and PHAROS_SMTP_ROOTS"),
        ),
    }
}
