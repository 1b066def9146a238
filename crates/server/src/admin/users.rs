//! `pharos admin user`

use anyhow::Context;
use clap::Subcommand;
use pharos_account::admin::{
    check_name,
    users::{UserAdmin, check_email},
};
use pharos_auth::sign_in::{
    desk::issue_link, factor_store::FactorStore, session::LINK_LIFETIME, store::SignInStore,
};
use pharos_console::console::WELCOME_PATH;
use pharos_domain::timestamp::Timestamp;
use serde_json::json;

use super::{Answer, Desk};

/// Manage users.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Create a user.
    Create {
        /// Their e-mail address.
        #[arg(long)]
        email: String,
        /// Their name.
        #[arg(long)]
        name: String,
    },
    /// Disable a user; their keys stop working at once.
    Disable {
        /// Their e-mail address.
        email: String,
    },
    /// Enable a user again.
    Enable {
        /// Their e-mail address.
        email: String,
    },
    /// Make a user an operator, who throws the installation's switches at the console.
    Operator {
        /// Their e-mail address.
        email: String,
        /// Make them one no more.
        #[arg(long)]
        off: bool,
    },
    /// Make a link by which a user sets a password for the console: for 24 hours, for one use.
    Link {
        /// Their e-mail address.
        email: String,
    },
    /// End the second factor of a user who has lost it: they sign in by their password alone.
    ResetSecondFactor {
        /// Their e-mail address.
        email: String,
    },
    /// List all users.
    List,
}

pub(super) async fn run(command: UserCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let users = desk.ports.get::<dyn UserAdmin>()?;
    match command {
        UserCommand::Create { email, name } => {
            let (email, name) = (check_email(&email)?, check_name("a user's name", &name)?);
            Answer::new(users.create(&email, &name, &desk.actor, desk.now).await?)
        }
        UserCommand::Disable { email } => {
            let id = desk.user(&email).await?;
            Answer::new(users.set_disabled(id, true, &desk.actor, desk.now).await?)
        }
        UserCommand::Enable { email } => {
            let id = desk.user(&email).await?;
            Answer::new(users.set_disabled(id, false, &desk.actor, desk.now).await?)
        }
        UserCommand::Operator { email, off } => {
            let id = desk.user(&email).await?;
            if !off {
                // Whoever knows the password of an operator is one.
                let sign_in = desk.ports.get::<dyn SignInStore>()?;
                let makers = sign_in.link_makers(id, desk.now).await?;
                anyhow::ensure!(
                    makers.is_empty(),
                    "another user made a link by which {email} set their password, or still can: make one with \
                     pharos admin user link {email}, and try again once they have used it"
                );
            }
            Answer::new(users.set_operator(id, !off, &desk.actor, desk.now).await?)
        }
        UserCommand::Link { email } => {
            let id = desk.user(&email).await?;
            let sign_in = desk.ports.get::<dyn SignInStore>()?;
            let link = issue_link(&*sign_in, id, &desk.actor, desk.now).await?;
            let link = link.with_context(|| {
                format!("{email} is disabled; enable them first with pharos admin user enable {email}")
            })?;
            Answer::new(json!({
                "link": format!("{}{WELCOME_PATH}/{}", desk.base_url, link.reveal()),
                "expires_at": Timestamp::from(desk.now + LINK_LIFETIME),
            }))
        }
        UserCommand::ResetSecondFactor { email } => {
            let id = desk.user(&email).await?;
            let factors = desk.ports.get::<dyn FactorStore>()?;
            let had = factors.reset(id, &desk.actor, desk.now).await?;
            anyhow::ensure!(had, "{email} has no second factor");
            Answer::new(json!({ "email": email, "second_factor": "off" }))
        }
        UserCommand::List => Answer::new(users.list().await?),
    }
}
