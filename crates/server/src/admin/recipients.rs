//! `pharos admin recipient`

use anyhow::Context;
use clap::Subcommand;
use pharos_domain::{
    ids::{ReportRecipientId, ReportTemplateId},
    timestamp::Timestamp,
};
use pharos_reporting::recipients::{
    recipient::{Address, Recipient},
    store::RecipientAdmin,
};
use serde::Serialize;
use serde_json::json;

use super::{Answer, Desk};

/// Manage who gets the reports of a template by mail.
#[derive(Debug, Subcommand)]
pub enum RecipientCommand {
    /// Add a mail address. Its owner is asked by a mail first, and gets reports once they say yes.
    Add {
        /// The template.
        template: ReportTemplateId,
        /// The address.
        address: String,
    },
    /// List the recipients of a template, and how each stands.
    List {
        /// The template.
        template: ReportTemplateId,
    },
    /// Ask a recipient again who has not said yes.
    Ask {
        /// The template.
        template: ReportTemplateId,
        /// The recipient.
        recipient: ReportRecipientId,
    },
    /// Remove a recipient, with what is on its way to them.
    Remove {
        /// The template.
        template: ReportTemplateId,
        /// The recipient.
        recipient: ReportRecipientId,
    },
}

#[derive(Serialize)]
struct RecipientView {
    id: ReportRecipientId,
    template_id: ReportTemplateId,
    address: String,
    state: &'static str,
    asked_at: Timestamp,
    confirmed_at: Option<Timestamp>,
    unsubscribed_at: Option<Timestamp>,
}

impl From<Recipient> for RecipientView {
    fn from(recipient: Recipient) -> Self {
        let Recipient {
            id,
            template,
            address,
            state,
            asked_at,
            confirmed_at,
            unsubscribed_at,
        } = recipient;
        Self {
            id,
            template_id: template,
            address: address.to_string(),
            state: state.as_str(),
            asked_at: asked_at.into(),
            confirmed_at: confirmed_at.map(Timestamp::from),
            unsubscribed_at: unsubscribed_at.map(Timestamp::from),
        }
    }
}

pub(super) async fn run(command: RecipientCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let recipients = desk.ports.get::<dyn RecipientAdmin>()?;
    let (actor, now) = (&desk.actor, desk.now);
    match command {
        RecipientCommand::Add { template, address } => {
            let address = Address::parse(&address)
                .context("a recipient has a mail address such as client@shop.example")?;
            let added = recipients.add(template, &address, actor, now).await?;
            Answer::new(RecipientView::from(added))
        }
        RecipientCommand::List { template } => {
            let listed = recipients.list(template).await?;
            Answer::new(listed.into_iter().map(RecipientView::from).collect::<Vec<_>>())
        }
        RecipientCommand::Ask { template, recipient } => {
            let asked = recipients.ask_again(template, recipient, actor, now).await?;
            Answer::new(RecipientView::from(asked))
        }
        RecipientCommand::Remove { template, recipient } => {
            recipients.remove(template, recipient, actor, now).await?;
            Answer::new(json!({ "removed": recipient }))
        }
    }
}
