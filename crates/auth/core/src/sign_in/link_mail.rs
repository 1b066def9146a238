//! Links by which passwords are set, as mails.

use async_trait::async_trait;
use thiserror::Error;

use super::session::LINK_LIFETIME;

/// Why somebody gets a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkReason {
    /// An account was made for them.
    Invited {
        /// Who did, by e-mail address.
        by: String,
        /// The name of the workspace that they are a member of.
        workspace: String,
    },
    /// Somebody who may made it for them.
    Made {
        /// Who did, by e-mail address.
        by: String,
    },
    /// Somebody said that they had forgotten the password of this address.
    Forgotten,
}

/// A mail with a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkMail<'a> {
    /// The e-mail address of the user.
    pub to: &'a str,
    /// Why.
    pub reason: &'a LinkReason,
    /// The link. Whoever has it sets the password.
    pub link: &'a str,
}

impl LinkMail<'_> {
    /// The subject.
    #[must_use]
    pub fn subject(&self) -> &'static str {
        match self.reason {
            LinkReason::Invited { .. } => "You are invited to Pharos",
            LinkReason::Made { .. } | LinkReason::Forgotten => "Set a new password for Pharos",
        }
    }

    /// The sentences before the link.
    #[must_use]
    pub fn before(&self) -> String {
        match self.reason {
            LinkReason::Invited { by, workspace } => format!(
                "{by} has made you a member of the workspace “{workspace}” on Pharos. Set your password to sign in:"
            ),
            LinkReason::Made { by } => {
                format!("{by} has made you a link by which you set a new password for Pharos:")
            }
            LinkReason::Forgotten => {
                "Somebody, most likely you, asked for a new password for Pharos. Set it here:".to_owned()
            }
        }
    }

    /// The sentences behind it.
    #[must_use]
    pub fn after(&self) -> String {
        let good = format!(
            "The link is good once, for {} hours.",
            LINK_LIFETIME.whole_hours()
        );
        match self.reason {
            LinkReason::Invited { .. } => format!("{good} If you know nothing of it, leave it be."),
            LinkReason::Made { .. } | LinkReason::Forgotten => {
                format!("{good} If you did not ask for it, leave it be: your password stays as it is.")
            }
        }
    }
}

/// Why a mail did not go out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct LinkMailError {
    /// A clause for people, without secrets.
    pub why: String,
    /// Whether another attempt is of no use.
    pub is_final: bool,
}

/// Mails links. There is one where a mail server is configured.
#[async_trait]
pub trait LinkMailer: Send + Sync {
    /// Hands a mail to the mail server.
    async fn mail(&self, mail: &LinkMail<'_>) -> Result<(), LinkMailError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_says_who_sent_it_and_how_long_its_link_is_good() {
        let invited = LinkReason::Invited {
            by: "ada@example.org".to_owned(),
            workspace: "Shop".to_owned(),
        };
        let made = LinkReason::Made {
            by: "ada@example.org".to_owned(),
        };
        for reason in [invited, made, LinkReason::Forgotten] {
            let mail = LinkMail {
                to: "bo@example.org",
                reason: &reason,
                link: "https://pharos.example/console/welcome/psl_x",
            };
            assert!(mail.after().starts_with("The link is good once, for 24 hours."));
            let names_ada = mail.before().contains("ada@example.org");
            assert_eq!(names_ada, reason != LinkReason::Forgotten);
        }
    }
}
