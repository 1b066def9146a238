//! API keys of a workspace: everybody of it sees which there are, owners and admins create, rotate and revoke them.

pub(crate) mod create;
mod fields;
pub(crate) mod one;

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_account::admin::members::Member;
use pharos_auth::keys::{
    manage::{KeyDetails, KeyError, MOST_LIVE_KEYS},
    secret::KeySecret,
};
use pharos_domain::{hourly_limit::HourlyLimit, role::Role};
use pharos_http::spec::BASE_PATH;
use time::OffsetDateTime;

use crate::{
    consent::words,
    console::Console,
    enter::InWorkspace,
    nav::workspace_path,
    page::{Page, moment},
    parts::{
        copy::copied,
        mark::{self, Tone},
        notice,
        table::{Column, Table},
    },
    refusal::Refusal,
    sentence::sentence,
    shown::shown,
};

/// Who may change them.
const CHANGERS: Role = Role::Admin;
/// How many keys that have ended the page shows, the newest.
const MOST_ENDED: usize = 50;
/// How many secrets an hour one user may make, of new keys and of those that there are: all are kept.
const MADE_PER_HOUR: HourlyLimit = HourlyLimit {
    name: "console-make-key",
    per_hour: 60,
};

/// GET /console/w/{workspace_id}/keys
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &id, Role::Viewer).await?;
    let accounts = &console.parts.accounts;
    let (keys, members) = (
        accounts.keys.list(here.id()).await?,
        accounts.members.list(here.id()).await?,
    );
    let now = console.parts.clock.now();
    let (live, ended): (Vec<&KeyDetails>, Vec<&KeyDetails>) = keys.iter().partition(|key| key.is_live(now));
    let may_change = here.role() >= CHANGERS;
    let add = html! { a.button href=(workspace_path(here.id(), "keys/new")) { "Create a key" } };
    let empty = notice::empty(
        "No key yet",
        &html! {
            p { "A script or a server of yours calls the API with a key. It says which workspace pays, and what the caller may do." }
            @if may_change { div.actions { (add) } } @else { p { "Owners and admins of the workspace create them." } }
        },
    );
    let content = html! {
        @if request.query_string() == "revoked" {
            (notice::done("The key was revoked. Every node refuses it."))
        }
        (table("Keys", &here, &live, &members, now, &empty))
        @if !live.is_empty() {
            p.note { (live.len()) " of " (MOST_LIVE_KEYS) " keys that a workspace may have at once." }
        }
        @if !ended.is_empty() {
            h2 { "Ended" }
            @let newest = &ended[..ended.len().min(MOST_ENDED)];
            (table("Ended keys", &here, newest, &members, now, &html! {}))
            @if newest.len() < ended.len() { p.note { "The newest " (MOST_ENDED) " of " (ended.len()) "." } }
        }
    };
    let page = Page::new("API keys", Some(here.user.owner()))
        .at(here.place("keys"))
        .wide();
    let page = if may_change && !live.is_empty() {
        page.actions(add)
    } else {
        page
    };
    Ok(page.with(&content))
}

fn table(
    caption: &str,
    here: &InWorkspace,
    keys: &[&KeyDetails],
    members: &[Member],
    now: OffsetDateTime,
    empty: &Markup,
) -> Markup {
    let table = Table {
        caption,
        columns: &[
            Column::text("Name"),
            Column::text("Begins with"),
            Column::text("May"),
            Column::text("State"),
            Column::text("Last used"),
            Column::text("Created by").spare(),
        ],
        rows: keys
            .iter()
            .map(|key| {
                vec![
                    html! { a href=(path(here, key)) { bdi { (shown(&key.name)) } } },
                    html! { code { (key.prefix) "…" } },
                    html! { (words::deeds(&words::tiers(key.scopes))) },
                    state(key, members, now),
                    last_used(key),
                    creator(key, members),
                ]
            })
            .collect(),
    };
    table.show(empty)
}

fn path(here: &InWorkspace, key: &KeyDetails) -> String {
    workspace_path(here.id(), &format!("keys/{}", key.id))
}

/// Whether it works, in a word.
fn state(key: &KeyDetails, members: &[Member], now: OffsetDateTime) -> Markup {
    if key.revoked_at.is_some() {
        mark::state(Tone::Calm, "Revoked")
    } else if !key.is_live(now) {
        mark::state(Tone::Calm, "Expired")
    } else if role_of_creator(key, members).is_none() {
        mark::state(Tone::Bad, "Creator left")
    } else {
        mark::state(Tone::Good, "Works")
    }
}

fn last_used(key: &KeyDetails) -> Markup {
    match key.last_used_at {
        Some(at) => moment(at),
        None => html! { "never" },
    }
}

fn creator(key: &KeyDetails, members: &[Member]) -> Markup {
    match members.iter().find(|member| member.user_id == key.created_by) {
        Some(member) => html! { bdi { (shown(&member.email)) } },
        None => html! { "somebody who left" },
    }
}

/// The role of a key's creator. `None`: they are no member any more, and the key does nothing.
fn role_of_creator(key: &KeyDetails, members: &[Member]) -> Option<Role> {
    let creator = members.iter().find(|member| member.user_id == key.created_by);
    creator.map(|member| member.role)
}

/// The secret of a key, the one time that it is shown, with a call that works.
fn once(console: &Console, secret: &KeySecret) -> Markup {
    let call = format!(
        "curl -s -H 'Authorization: Bearer {}' {}{BASE_PATH}/me",
        secret.reveal(),
        console.parts.base_url
    );
    html! {
        section.card.sum {
            p { "This is the key. It is shown this once, and stored nowhere: copy it now." }
            (copied("secret", "Key", secret.reveal()))
            (copied("call", "A first call", &call))
        }
    }
}

/// The field of a form that is at fault, and why. An error that is no fault of the form refuses the page.
fn fault_of(error: KeyError) -> Result<(&'static str, String), Refusal> {
    let why = sentence(&error.to_string());
    match error {
        KeyError::Name => Ok((
            "name",
            "A key’s name has 1 to 100 characters in one line, none of them hidden.".to_owned(),
        )),
        KeyError::NoScopes => Ok(("tier-read", "Tick what the key may do.".to_owned())),
        KeyError::Allowlist(_) | KeyError::LongAllowlist => Ok(("allowlist", why)),
        KeyError::Expiry => Ok(("expires", "The key would have ended already.".to_owned())),
        KeyError::TooMany(_) | KeyError::CreatedAlready | KeyError::NotLive => Ok(("", why)),
        KeyError::NoWorkspace | KeyError::NotFound => Err(Refusal::NoPage),
        KeyError::NotAdmin => Err(Refusal::NotAllowed { least: CHANGERS }),
        KeyError::NoRandomness(error) => Err(error.into()),
        KeyError::Store(error) => Err(error.into()),
    }
}
