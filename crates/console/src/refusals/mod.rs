//! The last refused requests of a workspace: why each was refused, and what to do.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_account::refusals::{KEPT, ListedRefusal};
use pharos_auth::keys::manage::KeyDetails;
use pharos_domain::{problem::Suffix, refusals::CredentialFault, role::Role};

use crate::{
    console::Console,
    enter::InWorkspace,
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

/// How many a page has.
const A_PAGE: usize = 50;

/// GET /console/w/{workspace_id}/refusals?page=…
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &id, Role::Admin).await?;
    let accounts = &console.parts.accounts;
    let refused = accounts.refusals.list(&here.access).await?;
    let keys = accounts.keys.list(here.id()).await?;
    let last = refused.len().div_ceil(A_PAGE).max(1);
    let asked = in_query(request.query_string(), "page");
    let asked: Option<usize> = asked.and_then(|page| page.parse().ok());
    let page = asked.unwrap_or(1).clamp(1, last);
    let on_page = refused.iter().skip((page - 1) * A_PAGE).take(A_PAGE);
    let path = workspace_path(here.id(), "refusals");
    let table = Table {
        caption: "Refused requests",
        columns: &[
            Column::text("When"),
            Column::text("By"),
            Column::text("Operation"),
            Column::figure("Status"),
            Column::text("Why, and what to do"),
            Column::text("From"),
            Column::text("Request").spare(),
        ],
        rows: on_page.map(|one| row(&here, one, &keys)).collect(),
    };
    let empty = notice::empty(
        "Nothing was refused",
        &html! { p { "Calls of keys and apps that are refused stand here for " (KEPT.whole_days()) " days, with the reason and what to do." } },
    );
    let at = |page: usize| format!("{path}?page={page}");
    let content = html! {
        p { "Calls of this workspace’s keys and apps that got no answer but a problem. They cost nothing. Whoever calls is told less than stands here, so that nobody learns which keys there are." }
        (table.show(&empty))
        @if last > 1 {
            (Pages {
                shown: "The newest first",
                before: (page > 1).then(|| at(page - 1)),
                after: (page < last).then(|| at(page + 1)),
            }.show())
        }
    };
    Ok(Page::new("Refused requests", Some(here.user.owner()))
        .at(here.place("refusals"))
        .wide()
        .with(&content))
}

fn row(here: &InWorkspace, one: &ListedRefusal, keys: &[KeyDetails]) -> Vec<Markup> {
    let problem: Option<Suffix> = one.problem.parse().ok();
    vec![
        moment(one.at),
        html! {
            @match keys.iter().find(|key| key.id == one.credential_id) {
                Some(key) => a href=(workspace_path(here.id(), &format!("keys/{}", key.id))) { bdi { (shown(&key.name)) } },
                None => "an app",
            }
        },
        html! {
            @match &one.operation { Some(operation) => code { (shown(operation)) }, None => "none: a path or method that is not there" }
        },
        html! { @match problem { Some(problem) => (problem.status()), None => "–" } },
        why(one, problem),
        html! { @match one.source { Some(address) => (address), None => "not known" } },
        html! { code { (one.request_id) } },
    ]
}

/// The reason, as the caller was told it and as people of the workspace are.
fn why(one: &ListedRefusal, problem: Option<Suffix>) -> Markup {
    let fault: Option<CredentialFault> = one.about.as_deref().and_then(|about| about.parse().ok());
    let fault = fault.map(of_credential);
    html! {
        @match problem {
            Some(problem) => a href={ "/docs/api/errors/" (problem) } { (problem.title()) },
            None => code { (shown(&one.problem)) },
        }
        @match (fault, problem) {
            (Some((what, _)), _) => { ": " (what) "." },
            (None, _) => { @if let Some(about) = &one.about { ": " code { (shown(about)) } } },
        }
        @match (fault, problem) {
            (Some((_, advice)), _) => span.note { " " (advice) },
            (None, Some(problem)) => span.note { " " (prose(problem.advice())) },
            (None, None) => {},
        }
    }
}

/// The fault of a known credential, and the advice to its holder.
fn of_credential(fault: CredentialFault) -> (&'static str, &'static str) {
    match fault {
        CredentialFault::Revoked => (
            "it was revoked",
            "Whoever still uses it needs another key, or has to ask for access again.",
        ),
        CredentialFault::Expired => (
            "it has expired",
            "Make another key and hand it to whoever calls; an app gets a new token by itself.",
        ),
        CredentialFault::PastGrace => (
            "an old secret, whose grace is over",
            "Hand the key’s newest secret to whoever calls, or make a new one with a longer grace.",
        ),
        CredentialFault::NoMember => (
            "its creator is no member any more, or is disabled",
            "Make a key of your own and hand that to whoever calls.",
        ),
        CredentialFault::AddressNotAllowed => (
            "from an address outside its allowlist",
            "Call from an address on the list, or make a key whose list has this one. An address that is none of yours means that somebody else has the secret: revoke the key.",
        ),
        CredentialFault::OtherResource => (
            "made for another resource",
            "Have the app ask for a token with the resource of this API.",
        ),
    }
}

/// Text whose `code` stands between backticks.
fn prose(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}
