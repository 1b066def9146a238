//! Connecting a domain to Search Console: an account, one of its properties, and the end of it.

pub(crate) mod callback;
mod card;
mod consent;
mod properties;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_domain::{ids::SearchAccountId, module::Module};
use pharos_search::{
    google::account::{Account, AccountKind, is_open_to},
    gsc::{
        accounts::{AccountSummary, LinkError, NewLink, linkable},
        property::PropertyStatus,
    },
};

pub(crate) use self::card::{card, may_not_inspect};
use self::{card::Stand, properties::ListedProperties};
use crate::{
    console::Console,
    domain::{add::CHANGERS, frame, named},
    enter::AtDomain,
    form::Form,
    nav::domain_path,
    page::{fault, go, moment},
    parts::{
        copy::copied,
        danger::Danger,
        notice,
        table::{Column, Table},
    },
    query::in_query,
    refusal::Refusal,
    shown::shown,
};

/// The last part of the page's path.
const PATH: &str = "gsc/connection";
/// The path that Google sends browsers back to.
const CALLBACK: &str = "/console/search-console/callback";

/// The page of a domain's connection.
pub(crate) fn path(here: &AtDomain) -> String {
    domain_path(here.id(), PATH)
}

/// The address that an OAuth client at Google has to name.
fn redirect_uri(console: &Console) -> String {
    format!("{}{CALLBACK}", console.parts.base_url)
}

/// The messages of the page, besides how things stand.
#[derive(Default)]
struct Said {
    /// Says what was done just now.
    done: String,
    /// The account of which a property is to be chosen, and what Google told of it: it is asked once for an answer.
    account: Option<(Account, ListedProperties)>,
    /// Why nothing was done.
    fault: Option<String>,
}

/// GET /console/domains/{domain_id}/gsc/connection
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = enter(&console, &request, &id).await?;
    let query = |name| in_query(request.query_string(), name).unwrap_or_default();
    let account = match query("account").as_str() {
        "" => None,
        id => {
            let account = find(&console, &here, id).await?;
            let told = properties::of(&console, &here, &account).await?;
            Some((account, told))
        }
    };
    let said = Said {
        done: query("done"),
        account,
        fault: None,
    };
    page(&console, &here, &said).await
}

/// POST /console/domains/{domain_id}/gsc/connection
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let here = enter(&console, &request, &id).await?;
    here.user.check(&sent, &console)?;
    let step = sent.one("do");
    // Whose subscription has ended may still take away what is theirs.
    if !matches!(step, "unlink" | "forget") {
        here.writable()?;
    }
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let accounts = &console.parts.search.accounts;
    let (done, outcome) = match step {
        "connect" => return consent::ask(&console, &here).await,
        "link" => return link(&console, &here, &sent).await,
        "unlink" => ("unlinked", accounts.unlink(here.id(), &actor, now).await),
        "forget" => {
            let account = find(&console, &here, sent.one("account")).await?;
            ("forgotten", accounts.remove(account.id, &actor, now).await)
        }
        _ => return Err(Refusal::NoForm),
    };
    match outcome {
        Ok(()) => Ok(changed(&console, &here, done).await),
        Err(error) => {
            let said = Said {
                fault: Some(why(error)?),
                ..Said::default()
            };
            page(&console, &here, &said).await
        }
    }
}

async fn enter(console: &Console, request: &HttpRequest, id: &str) -> Result<AtDomain, Refusal> {
    let here = console.at_domain(request, id, CHANGERS).await?;
    here.needs(Module::Gsc)?;
    Ok(here)
}

/// An account of the domain's workspace.
async fn find(console: &Console, here: &AtDomain, id: &str) -> Result<Account, Refusal> {
    let id: SearchAccountId = id.parse().map_err(|_| Refusal::NoPage)?;
    let found = console.parts.search.accounts.find(id).await?;
    found
        .filter(|account| account.workspace == here.workspace())
        .ok_or(Refusal::NoPage)
}

/// Why an account or a link was not changed, for people.
fn why(error: LinkError) -> Result<String, Refusal> {
    match error {
        LinkError::Store(error) => Err(error.into()),
        error => Ok(format!("Nothing was changed: {error}.")),
    }
}

/// Sends the browser to the page, once something else holds.
async fn changed(console: &Console, here: &AtDomain, done: &str) -> HttpResponse {
    for outdated in [Module::Gsc, Module::Platform] {
        console.parts.answers.outdated(here.id(), outdated).await;
    }
    go(&format!("{}?done={done}", path(here)))
}

/// Links the domain to the property that the form names, if the account still reads it.
async fn link(console: &Console, here: &AtDomain, sent: &Form) -> Result<HttpResponse, Refusal> {
    let account = find(console, here, sent.one("account")).await?;
    let property = sent.one("property");
    let hostname = &here.access.domain().hostname;
    let told = properties::of(console, here, &account).await?;
    let chosen = match &told {
        Ok(sites) => linkable(sites, &account.label, property, hostname)
            .map_err(|why| format!("Nothing was linked: {}.", shown(&why.to_string()))),
        Err(why) => Err(why.clone()),
    };
    let fault = match chosen {
        Ok(permission) => {
            let link = NewLink {
                domain: here.id(),
                account: account.id,
                site_url: property.to_owned(),
                permission,
                linked_by: Some(here.user.session.user),
            };
            let (actor, now) = (here.user.actor(), console.parts.clock.now());
            match console.parts.search.accounts.link(&link, &actor, now).await {
                Ok(()) => return Ok(changed(console, here, "linked").await),
                Err(error) => why(error)?,
            }
        }
        Err(fault) => fault,
    };
    let said = Said {
        account: Some((account, told)),
        fault: Some(fault),
        ..Said::default()
    };
    page(console, here, &said).await
}

async fn page(console: &Console, here: &AtDomain, said: &Said) -> Result<HttpResponse, Refusal> {
    let domain = named(console, here).await?;
    let stand = Stand::of(console, here).await?;
    let status = if said.fault.is_some() {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    let choice = said.account.as_ref();
    let choice = choice.map(|(account, told)| properties::choice(here, &stand, account, told));
    let content = html! {
        @match said.done.as_str() {
            "consented" => (notice::done("Google lets Pharos read. Choose the property now.")),
            "linked" => (notice::done("The property is linked. Its import begins within a minute.")),
            "unlinked" => (notice::done("The property is no longer linked. What was imported stays.")),
            "forgotten" => (notice::done("The account was forgotten.")),
            _ => {}
        }
        (fault(said.fault.as_deref()))
        @if let Some(choice) = &choice { (choice) }
        @if let Some(property) = &stand.property { (card::section(here, &stand, property, &html! {})) }
        (connect(console, here, &stand))
        (accounts(here, &stand))
        @if stand.property.is_some() { (unlink(here)) }
    };
    Ok(frame(here, &domain.title, Module::Gsc.as_str())
        .part("Connection to Search Console")
        .status(status)
        .with(&content))
}

/// How an account comes in.
fn connect(console: &Console, here: &AtDomain, stand: &Stand) -> Markup {
    let is_revoked = stand
        .property
        .as_ref()
        .is_some_and(|property| property.status == PropertyStatus::ReauthorizationRequired);
    let button = if is_revoked {
        "Connect again"
    } else {
        "Connect with Google"
    };
    html! {
        section.card id="connect" aria-labelledby="connect-head" {
            h2 id="connect-head" { "Connect an account" }
            @if console.parts.search.google.takes_consent() {
                p { "Google asks you whether Pharos may see the Search Console data of your account. It reads, and changes nothing there." }
                form method="post" action=(path(here)) {
                    (here.user.token_field())
                    input type="hidden" name="do" value="connect";
                    div.actions { button type="submit" { (button) } }
                }
            } @else {
                p { "This Pharos has no OAuth client at Google, without which nobody can consent here. Whoever runs it makes one in the Google Cloud console, of the type “Web application”, with this redirect URI:" }
                (copied("redirect-uri", "Redirect URI", &redirect_uri(console)))
                p { "Then they set " code { "google_client_id" } " and " code { "google_client_secret" } ". The guide “Search Console” has each step." }
            }
            p.note { "A service account needs no consent. Whoever runs this Pharos adds one: " code { "pharos admin search add " (here.workspace()) " --key-file key.json" } }
        }
    }
}

/// The accounts of the workspace.
fn accounts(here: &AtDomain, stand: &Stand) -> Markup {
    let columns = [
        Column::text("Account"),
        Column::text("Kind").spare(),
        Column::text("Since").spare(),
        Column::figure("Domains"),
        Column::text("Steps"),
    ];
    let table = Table {
        caption: "Accounts of this workspace",
        columns: &columns,
        rows: stand.accounts.iter().map(|account| row(here, account)).collect(),
    };
    html! {
        @if !stand.accounts.is_empty() {
            h2 { "Accounts of this workspace" }
            (table.show(&html! {}))
        }
    }
}

fn row(here: &AtDomain, account: &AccountSummary) -> Vec<Markup> {
    let kind = match account.kind {
        AccountKind::Oauth => "a person’s consent",
        AccountKind::ServiceAccount => "service account",
    };
    let label = shown(&account.label);
    vec![
        html! { bdi { (label) } },
        html! { (kind) },
        moment(account.created_at),
        html! { (account.domains.len()) },
        html! {
            @if is_open_to(account.given_by, here.user.session.user) {
                a href={ (path(here)) "?account=" (account.id) } { "Choose a property" span.aside { " of " (label) } }
            } @else {
                span.note { "For who consented alone." }
            }
            @if account.domains.is_empty() {
                form method="post" action=(path(here)) {
                    (here.user.token_field())
                    input type="hidden" name="do" value="forget";
                    input type="hidden" name="account" value=(account.id);
                    button.quiet type="submit" { "Forget" span.aside { " " (label) } }
                }
            }
        },
    ]
}

fn unlink(here: &AtDomain) -> Markup {
    Danger {
        title: "Unlink the property",
        meaning: "Nothing more is imported, and the pages of search say that no property is linked. What was imported stays: link the \
                  same property again, and it goes on; link another one, and it is deleted. The account stays, too, until it is \
                  forgotten.",
        action: &path(here),
        hidden: html! {
            (here.user.token_field())
            input type="hidden" name="do" value="unlink";
        },
        button: "Unlink",
        typed: None,
        fault: None,
    }
    .show()
}
