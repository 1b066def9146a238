//! The background work of sign-in: links to people who forgot their passwords. And how links are mailed.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_auth::sign_in::{
    forgotten::ForgottenPasswords,
    link_mail::{LinkMail, LinkMailError, LinkMailer},
};
use pharos_console::console::WELCOME_PATH;
use pharos_domain::ports::Ports;
use pharos_mail::{letter::Letter, mailer::Mailer};

use super::{
    outgoing::mailer,
    work::{Work, WorkContext},
};
use crate::{config::Config, role::Role};

/// The work of a node for sign-in, by its roles.
///
/// # Errors
/// A missing port.
pub(super) fn work(context: &WorkContext<'_>) -> anyhow::Result<Work> {
    let WorkContext {
        config, ports, clock, ..
    } = *context;
    let mut work = Work::default();
    if config.roles.contains(&Role::Worker) {
        work.handlers.push(Arc::new(ForgottenPasswords {
            store: ports.get()?,
            mailer: ports.get().ok(),
            clock: Arc::clone(clock),
            welcome: format!("{}{WELCOME_PATH}", config.addresses().base_url),
        }));
    }
    Ok(work)
}

/// Adds the port that mails links, where a mail server is configured.
///
/// # Errors
/// Its settings can't be used.
pub(super) fn outgoing(ports: Ports, config: &Config) -> anyhow::Result<Ports> {
    Ok(match mailer(config)? {
        Some(mailer) => ports.with::<dyn LinkMailer>(Arc::new(SmtpLinkMailer(mailer))),
        None => ports,
    })
}

/// Mails links by the mail server that alerts go out by.
struct SmtpLinkMailer(Mailer);

#[async_trait]
impl LinkMailer for SmtpLinkMailer {
    async fn mail(&self, mail: &LinkMail<'_>) -> Result<(), LinkMailError> {
        let (before, after) = (mail.before(), mail.after());
        let letter = Letter {
            subject: mail.subject(),
            before: &before,
            link: mail.link,
            label: "Set your password",
            after: &after,
        };
        let sent = self.0.send(&letter.to(mail.to)).await;
        sent.map_err(|error| LinkMailError {
            is_final: error.is_final,
            why: error.why,
        })
    }
}
