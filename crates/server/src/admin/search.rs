//! `pharos admin search`

use std::path::PathBuf;

use anyhow::Context;
use clap::Subcommand;
use pharos_account::admin::users::check_email;
use pharos_domain::{
    ids::{DomainId, SearchAccountId, UserId, WorkspaceId},
    timestamp::Timestamp,
};
use pharos_search::{
    google::{
        account::{Account, Credentials, MOST_OF_KEY_FILE, ServiceAccountKey},
        client::GoogleClient,
        error::GoogleError,
        sites::Site,
    },
    gsc::accounts::{AccountStore, AccountSummary, NewAccount, NewLink, Unlinkable, is_of, linkable},
};
use serde::Serialize;
use serde_json::json;

use super::{Answer, Desk};

/// Manage the accounts that read Search Console, and the properties of domains.
#[derive(Debug, Subcommand)]
pub enum SearchCommand {
    /// Add a service account to a workspace. Owners of properties give its address access in Search Console.
    Add {
        /// The workspace.
        workspace: WorkspaceId,
        /// The key file that Google gives out: JSON.
        #[arg(long, value_name = "FILE")]
        key_file: PathBuf,
    },
    /// List the accounts of a workspace.
    Accounts {
        /// The workspace.
        workspace: WorkspaceId,
    },
    /// Ask Google which properties an account may see, and what it may do with them.
    Properties {
        /// The account.
        account: SearchAccountId,
    },
    /// Link a domain to a property, in the place of the one that it was linked to. Its import begins at once; where it is another
    /// property, that deletes what was imported of the one before.
    Link {
        /// The domain.
        domain: DomainId,
        /// The account that reads the property.
        account: SearchAccountId,
        /// The property, as `properties` names it: sc-domain:shop.example or https://shop.example/.
        property: String,
    },
    /// Unlink a domain. Imported days stay.
    Unlink {
        /// The domain.
        domain: DomainId,
    },
    /// Forget an account that reads no property.
    Remove {
        /// The account.
        account: SearchAccountId,
    },
}

#[derive(Serialize)]
struct AccountView {
    id: SearchAccountId,
    kind: &'static str,
    label: String,
    created_at: Timestamp,
    given_by: Option<UserId>,
    domains: Vec<DomainId>,
}

impl From<AccountSummary> for AccountView {
    fn from(account: AccountSummary) -> Self {
        let AccountSummary {
            id,
            kind,
            label,
            created_at,
            given_by,
            domains,
        } = account;
        Self {
            id,
            kind: kind.as_str(),
            label,
            created_at: created_at.into(),
            given_by,
            domains,
        }
    }
}

#[derive(Serialize)]
struct SiteView {
    property: String,
    permission: &'static str,
}

impl From<Site> for SiteView {
    fn from(site: Site) -> Self {
        Self {
            property: site.site_url,
            permission: site.permission.as_str(),
        }
    }
}

pub(super) async fn run(command: SearchCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let accounts = desk.ports.get::<dyn AccountStore>()?;
    match command {
        SearchCommand::Add { workspace, key_file } => {
            desk.workspace(workspace).await?;
            let key = read_key(&key_file)?;
            let label = key.client_email.clone();
            let new = NewAccount {
                workspace,
                label: label.clone(),
                credentials: Credentials::ServiceAccount(key),
                created_by: None,
            };
            let id = accounts.add(&new, &desk.actor, desk.now).await?;
            Answer::new(json!({ "id": id, "label": label }))
        }
        SearchCommand::Accounts { workspace } => {
            desk.workspace(workspace).await?;
            let listed = accounts.list(workspace).await?;
            Answer::new(listed.into_iter().map(AccountView::from).collect::<Vec<_>>())
        }
        SearchCommand::Properties { account } => {
            let account = found(&*accounts, account).await?;
            let sites = sites(desk.google()?, &account, desk).await?;
            Answer::new(sites.into_iter().map(SiteView::from).collect::<Vec<_>>())
        }
        SearchCommand::Link {
            domain,
            account,
            property,
        } => {
            let named = accounts.domain(domain).await?;
            let (hostname, _) = named.with_context(|| format!("there is no domain {domain}"))?;
            // Google's answer changes nothing of this, so it need not be asked.
            if !is_of(&property, &hostname) {
                return Err(Unlinkable::OtherSite { property, hostname }.into());
            }
            let known = found(&*accounts, account).await?;
            let sites = sites(desk.google()?, &known, desk).await?;
            let permission = linkable(&sites, &known.label, &property, &hostname)?;
            let link = NewLink {
                domain,
                account,
                site_url: property.clone(),
                permission,
                linked_by: None,
            };
            accounts.link(&link, &desk.actor, desk.now).await?;
            Answer::new(json!({ "domain_id": domain, "property": property, "permission": permission }))
        }
        SearchCommand::Unlink { domain } => {
            accounts.unlink(domain, &desk.actor, desk.now).await?;
            Answer::new(json!({ "unlinked": domain }))
        }
        SearchCommand::Remove { account } => {
            accounts.remove(account, &desk.actor, desk.now).await?;
            Answer::new(json!({ "removed": account }))
        }
    }
}

/// The key in a file. No error repeats the file's content.
fn read_key(file: &PathBuf) -> anyhow::Result<ServiceAccountKey> {
    let length = std::fs::metadata(file)
        .with_context(|| file.display().to_string())?
        .len();
    anyhow::ensure!(
        usize::try_from(length).is_ok_and(|length| length <= MOST_OF_KEY_FILE),
        "{} is larger than any key file",
        file.display()
    );
    let text = std::fs::read(file).with_context(|| file.display().to_string())?;
    let key = ServiceAccountKey::from_file(&text)?;
    let is_address = check_email(&key.client_email).is_ok();
    anyhow::ensure!(is_address, "the client_email of the file is no e-mail address");
    Ok(key)
}

async fn found(accounts: &dyn AccountStore, id: SearchAccountId) -> anyhow::Result<Account> {
    let account = accounts.find(id).await?;
    account.with_context(|| format!("there is no account {id}"))
}

async fn sites(google: GoogleClient, account: &Account, desk: &Desk) -> anyhow::Result<Vec<Site>> {
    let asked = google.sites(account, desk.now).await;
    asked.map_err(|error| match error {
        // It says what happened, and not whom it happened to.
        GoogleError::Egress(_) => {
            let (api, token) = (&desk.config.google_search_url, &desk.config.google_token_url);
            anyhow::Error::new(error).context(format!("no answer came of {token} or {api}"))
        }
        other => anyhow::Error::new(other),
    })
}
