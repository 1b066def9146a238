//! The changes that an operator makes: `pharos admin`.

mod announce;
mod audit;
mod channels;
mod clients;
mod domains;
mod grants;
mod jobs;
mod jwk;
mod keys;
mod members;
mod plans;
mod recipients;
mod releases;
mod sealing;
mod search;
mod sites;
mod source_maps;
mod switches;
mod users;
mod workspaces;

use clap::Subcommand;
use pharos_account::admin::{
    users::{UserAdmin, check_email},
    workspaces::WorkspaceAdmin,
};
use pharos_auth::keys::secret::Environment;
use pharos_domain::{
    audit::Actor,
    clock::Clock,
    ids::{UserId, WorkspaceId},
    ports::Ports,
};
use pharos_persistence::{clock::DatabaseClock, pool::Database};
use pharos_search::google::client::GoogleClient;
use time::OffsetDateTime;

use crate::{answer::Answer, beside, config::Config, groups, serve::address_policy};

/// The kinds of things that an operator changes.
#[derive(Debug, Subcommand)]
pub enum AdminCommand {
    /// People.
    #[command(subcommand)]
    User(users::UserCommand),
    /// The owners of domains, which pay for calls.
    #[command(subcommand)]
    Workspace(workspaces::WorkspaceCommand),
    /// People in workspaces.
    #[command(subcommand)]
    Member(members::MemberCommand),
    /// The modules, credits and quotas that workspaces may use.
    #[command(subcommand)]
    Plan(plans::PlanCommand),
    /// The hostnames that workspaces watch.
    #[command(subcommand)]
    Domain(domains::DomainCommand),
    /// Where notifications are delivered: mail, webhooks, chat services.
    #[command(subcommand)]
    Channel(channels::ChannelCommand),
    /// Who gets reports by mail.
    #[command(subcommand)]
    Recipient(recipients::RecipientCommand),
    /// Tell people something.
    Announce(announce::AnnounceCommand),
    /// The names by which pages and servers send beacons.
    #[command(subcommand)]
    Site(sites::SiteCommand),
    /// The maps by which stacks of errors are shown as they are in the sources of scripts.
    #[command(subcommand)]
    SourceMap(source_maps::SourceMapCommand),
    /// The releases of sites, by which what visitors felt is read.
    #[command(subcommand)]
    Release(releases::ReleaseCommand),
    /// The accounts that read Search Console, and the properties of domains.
    #[command(subcommand)]
    Search(search::SearchCommand),
    /// API keys.
    #[command(subcommand)]
    Key(keys::KeyCommand),
    /// Apps that registered as OAuth clients.
    #[command(subcommand)]
    Client(clients::ClientCommand),
    /// The access that users granted to apps.
    #[command(subcommand)]
    Grant(grants::GrantCommand),
    /// The keys that sign access tokens.
    #[command(subcommand)]
    Jwk(jwk::JwkCommand),
    /// The keys that seal secrets in the database.
    #[command(subcommand)]
    Sealing(sealing::SealingCommand),
    /// Work that is done later.
    #[command(subcommand)]
    Job(jobs::JobCommand),
    /// The trail of changes.
    Audit(audit::AuditCommand),
    /// Switches that turn parts of the API off while Pharos runs.
    #[command(subcommand)]
    Switch(switches::SwitchCommand),
}

/// The ports and settings that every command works with.
struct Desk {
    config: Config,
    ports: Ports,
    environment: Environment,
    base_url: String,
    actor: Actor,
    now: OffsetDateTime,
}

/// Carries out one command of `pharos admin`.
///
/// # Errors
/// The command was refused, or a store failed.
pub async fn run(command: AdminCommand, database: Database, config: &Config) -> anyhow::Result<Answer> {
    let account = std::env::var("SUDO_USER")
        .or_else(|_| std::env::var("USER"))
        .unwrap_or_else(|_| "unknown".to_owned());
    let desk = Desk {
        config: config.clone(),
        ports: groups::ports(&database),
        environment: config.environment,
        base_url: beside::base_url(config),
        actor: Actor::command_line(&account),
        now: DatabaseClock::of(database).await?.now(),
    };
    match command {
        AdminCommand::User(command) => users::run(command, &desk).await,
        AdminCommand::Workspace(command) => workspaces::run(command, &desk).await,
        AdminCommand::Member(command) => members::run(command, &desk).await,
        AdminCommand::Plan(command) => plans::run(command, &desk).await,
        AdminCommand::Domain(command) => domains::run(command, &desk).await,
        AdminCommand::Channel(command) => channels::run(command, &desk).await,
        AdminCommand::Recipient(command) => recipients::run(command, &desk).await,
        AdminCommand::Announce(command) => announce::run(command, &desk).await,
        AdminCommand::Site(command) => sites::run(command, &desk).await,
        AdminCommand::SourceMap(command) => source_maps::run(command, &desk).await,
        AdminCommand::Release(command) => releases::run(command, &desk).await,
        AdminCommand::Search(command) => search::run(command, &desk).await,
        AdminCommand::Key(command) => keys::run(command, &desk).await,
        AdminCommand::Client(command) => clients::run(command, &desk).await,
        AdminCommand::Grant(command) => grants::run(command, &desk).await,
        AdminCommand::Jwk(command) => jwk::run(command, &desk).await,
        AdminCommand::Sealing(command) => sealing::run(command, &desk).await,
        AdminCommand::Job(command) => jobs::run(command, &desk).await,
        AdminCommand::Audit(command) => audit::run(command, &desk).await,
        AdminCommand::Switch(command) => switches::run(command, &desk).await,
    }
}

impl Desk {
    /// Asks Google as this installation.
    fn google(&self) -> anyhow::Result<GoogleClient> {
        groups::google(&self.config, address_policy(&self.config))
    }

    /// Refuses a workspace that there is not.
    async fn workspace(&self, id: WorkspaceId) -> anyhow::Result<()> {
        let workspaces = self.ports.get::<dyn WorkspaceAdmin>()?.list().await?;
        let is_known = workspaces.iter().any(|workspace| workspace.id == id);
        anyhow::ensure!(
            is_known,
            "there is no workspace {id}; pharos admin workspace list has them all"
        );
        Ok(())
    }

    /// The user whom the command line names by e-mail address.
    async fn user(&self, email: &str) -> anyhow::Result<UserId> {
        let email = check_email(email)?;
        let found = self.ports.get::<dyn UserAdmin>()?.find(&email).await?;
        let create = "pharos admin user create --email … --name …";
        found
            .map(|user| user.id)
            .ok_or_else(|| anyhow::anyhow!("there is no user {email}; create one with {create}"))
    }
}
