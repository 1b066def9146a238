//! The audit trail of a workspace, for those who look after it.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_account::admin::{
    audit::{AuditEntry, AuditQuery},
    users::User,
};
use pharos_domain::{audit::Actor, ids::UserId, role::Role, store::StoreError};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    console::Console,
    nav::workspace_path,
    page::{Page, moment},
    parts::{
        notice,
        table::{Column, Pages, Table},
    },
    query::in_query,
    refusal::Refusal,
    shown::shown,
};

/// How many entries a page has.
const A_PAGE: u32 = 50;
/// How much of a detail is shown; `pharos admin audit` has all of it.
const MOST_LETTERS: usize = 200;

/// GET /console/w/{workspace_id}/audit?before=…
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &id, Role::Admin).await?;
    let before: Option<Uuid> = match in_query(request.query_string(), "before") {
        Some(text) => Some(text.parse().map_err(|_| Refusal::NoPage)?),
        None => None,
    };
    let accounts = &console.parts.accounts;
    let query = AuditQuery {
        workspace: Some(here.id()),
        before,
        limit: A_PAGE + 1,
        ..AuditQuery::default()
    };
    let mut entries = accounts.audit.list(&query).await?;
    let page = usize::try_from(A_PAGE).unwrap_or(usize::MAX);
    let has_more = entries.len() > page;
    entries.truncate(page);
    let users = users_of(&console, &entries).await?;
    let path = workspace_path(here.id(), "audit");
    let table = Table {
        caption: "Changes",
        columns: &[
            Column::text("When"),
            Column::text("Who"),
            Column::text("From").spare(),
            Column::text("What"),
            Column::text("Details"),
        ],
        rows: entries
            .iter()
            .map(|entry| {
                vec![
                    moment(entry.at),
                    who(entry, &users),
                    html! { @match entry.source { Some(address) => (address), None => "–" } },
                    html! { code { (entry.action) } },
                    details(entry),
                ]
            })
            .collect(),
    };
    let empty = notice::empty("Nothing here", &html! { p { "No change is older than that." } });
    let pages = Pages {
        shown: "The newest first",
        before: before.map(|_| path.clone()),
        after: entries
            .last()
            .filter(|_| has_more)
            .map(|entry| format!("{path}?before={}", entry.id)),
    };
    let content = html! {
        p { "Changes that people made in the console and at the command line. What keys and apps called stands in the log of credits." }
        (table.show(&empty))
        @if before.is_some() || has_more { (pages.show()) }
    };
    Ok(Page::new("Audit trail", Some(here.user.owner()))
        .at(here.place("audit"))
        .wide()
        .with(&content))
}

/// The users who made changes, those who are no members any more among them.
pub(crate) async fn users_of(console: &Console, entries: &[AuditEntry]) -> Result<Vec<User>, StoreError> {
    let ids: Vec<UserId> = entries.iter().filter_map(user_of).collect();
    console.parts.accounts.users.by_ids(&ids).await
}

/// The user who made a change; `None`: it was made at the command line, or by Pharos itself.
fn user_of(entry: &AuditEntry) -> Option<UserId> {
    Actor::user_of(&entry.actor)
}

/// Who made a change, for people.
pub(crate) fn who(entry: &AuditEntry, users: &[User]) -> Markup {
    let user = user_of(entry).and_then(|id| users.iter().find(|user| user.id == id));
    html! {
        @match user {
            Some(user) => bdi { (shown(&user.email)) },
            None => code { (shown(&entry.actor)) },
        }
    }
}

fn details(entry: &AuditEntry) -> Markup {
    let members = entry.details.as_object();
    let members = members
        .into_iter()
        .flatten()
        .filter(|(name, value)| !value.is_null() && *name != "workspace_id");
    html! {
        @for (name, value) in members {
            span.note { (name) ": " } bdi {
                @match value {
                    Value::String(text) => (shown(&cut(text))),
                    other => (shown(&cut(&other.to_string()))),
                }
            }
            " "
        }
    }
}

fn cut(text: &str) -> String {
    let mut cut: String = text.chars().take(MOST_LETTERS).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}
