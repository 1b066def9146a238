//! Passwords that people forgot: they ask for a link, and it is mailed to who has the address, by a job.
//!
//! The job is asked for whether somebody has the address or not, so that the answer, and the time that it takes, tell nobody
//! who has an account.

use std::{fmt, net::IpAddr, sync::Arc};

use async_trait::async_trait;
use pharos_domain::{
    audit::Actor,
    clock::Clock,
    identity::Source,
    jobs::{Changed, ClaimedJob, JobFailure, JobHandler, JobKind},
};
use serde::{Deserialize, Serialize};

use super::{
    desk::{keep_link, new_link},
    link_mail::{LinkMail, LinkMailer, LinkReason},
    store::SignInStore,
};

/// The jobs that mail these links.
pub const FORGOTTEN_PASSWORD: JobKind = JobKind::new("forgotten_password");
/// How often one is tried. Each attempt makes another link, which takes the place of the one before once it is mailed.
pub const ATTEMPTS: u16 = 4;

/// An address whose password somebody says to have forgotten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forgotten {
    /// The address, as it was typed.
    pub email: String,
    /// Where it was typed.
    pub source: Option<IpAddr>,
}

/// Does the jobs.
pub struct ForgottenPasswords {
    /// Knows who has an address, and keeps the links.
    pub store: Arc<dyn SignInStore>,
    /// Sends the mails; `None`: no mail server is configured on this node.
    pub mailer: Option<Arc<dyn LinkMailer>>,
    /// The clock that links lapse by.
    pub clock: Arc<dyn Clock>,
    /// The address that links begin with; a slash and the secret follow.
    pub welcome: String,
}

impl fmt::Debug for ForgottenPasswords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ForgottenPasswords")
            .field("has_mailer", &self.mailer.is_some())
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl JobHandler for ForgottenPasswords {
    fn kind(&self) -> JobKind {
        FORGOTTEN_PASSWORD
    }

    /// A mail server that hangs leaves places to other kinds.
    fn most_at_once(&self, places: usize) -> usize {
        places.div_ceil(8)
    }

    async fn run(&self, job: &ClaimedJob) -> Result<Changed, JobFailure> {
        let Forgotten { email, source } = job.read()?;
        let Some(mailer) = &self.mailer else {
            return Err(JobFailure::permanent("no mail server is configured: smtp_url"));
        };
        let Some(user) = self.store.user(&email).await? else {
            return Ok(Changed::new());
        };
        let link = new_link().map_err(JobFailure::internal)?;
        let address = format!("{}/{}", self.welcome, link.reveal());
        let mail = LinkMail {
            to: &email,
            reason: &LinkReason::Forgotten,
            link: &address,
        };
        match mailer.mail(&mail).await {
            Ok(()) => {}
            Err(error) if error.is_final => return Err(JobFailure::permanent(error.why)),
            Err(error) => return Err(JobFailure::retry(error.why)),
        }
        // A link that they have, such as that of an invitation, is good until another is on its way to them. Should this fail,
        // the mail leads nowhere, and the next attempt brings another.
        let actor = Actor::system().from(Source(source));
        let now = self.clock.now();
        if !keep_link(&*self.store, &link, user, &actor, now).await? {
            tracing::info!(%user, "a user was disabled before the link that was mailed to them was kept");
        }
        Ok(Changed::new())
    }
}
