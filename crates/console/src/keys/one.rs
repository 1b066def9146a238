//! A key: its settings, a new secret, its end.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::html;
use pharos_account::admin::members::Member;
use pharos_auth::keys::manage::{self, Grace, KeyDetails, KeyError};
use pharos_domain::{ids::CredentialId, role::Role};

use super::{CHANGERS, MADE_PER_HOUR, creator, fault_of, last_used, once, path, role_of_creator, state};
use crate::{
    console::Console,
    enter::InWorkspace,
    form::Form,
    nav::workspace_path,
    page::{Page, fault, go, moment},
    parts::{danger::Danger, facts::facts, form::Field},
    refusal::Refusal,
    repeated,
    shown::shown,
};

/// GET /console/w/{workspace_id}/keys/{key_id}
pub(crate) async fn show(
    request: HttpRequest,
    ids: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &ids.0, Role::Viewer).await?;
    let (key, members) = find(&console, &here, &ids.1).await?;
    Ok(page(&console, &here, &key, &members, None))
}

/// POST /console/w/{workspace_id}/keys/{key_id}
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    ids: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let here = console.in_workspace(&request, &ids.0, CHANGERS).await?;
    here.user.check(&sent, &console)?;
    let (key, members) = find(&console, &here, &ids.1).await?;
    match sent.one("do") {
        "revoke" => {
            let (actor, now) = (here.user.actor(), console.parts.clock.now());
            match console.parts.accounts.keys.revoke(key.id, &actor, now).await {
                Ok(_) => Ok(go(&format!("{}?revoked", workspace_path(here.id(), "keys")))),
                Err(error) => not_done(&console, &here, (&key, &members), error),
            }
        }
        "rotate" => {
            let creator = role_of_creator(&key, &members);
            if !creator.is_some_and(|creator| manage::may_rotate(here.role(), creator)) {
                return Err(Refusal::NotAllowed { least: Role::Owner });
            }
            let grace = Grace::ALL
                .into_iter()
                .find(|grace| grace.as_str() == sent.one("grace"));
            let grace = grace.ok_or(Refusal::NoForm)?;
            let form = sent.digest(&request, &here.user.secret);
            let parts = console.clone();
            let work = async move { rotate(&parts, &here, (&key, &members), grace).await };
            console.repeated.answer(form, work).await
        }
        _ => Err(Refusal::NoForm),
    }
}

async fn rotate(
    console: &Console,
    here: &InWorkspace,
    (key, members): (&KeyDetails, &[Member]),
    grace: Grace,
) -> Result<HttpResponse, Refusal> {
    console.admit(&here.user, MADE_PER_HOUR).await?;
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let accounts = &console.parts.accounts;
    match manage::rotate(&*accounts.keys, accounts.environment, key.id, grace, &actor, now).await {
        Ok((key, secret)) => {
            let content = html! {
                (once(console, &secret))
                div.actions { a.button href=(path(here, &key)) { "Go on to the key" } }
            };
            Ok(frame(here, "The key has a new secret").with(&content))
        }
        Err(error) => not_done(console, here, (key, members), error),
    }
}

/// The page of a key that says why nothing was changed.
fn not_done(
    console: &Console,
    here: &InWorkspace,
    (key, members): (&KeyDetails, &[Member]),
    error: KeyError,
) -> Result<HttpResponse, Refusal> {
    let (_, why) = fault_of(error)?;
    Ok(page(console, here, key, members, Some(&why)))
}

/// A key of this workspace, and the members.
async fn find(console: &Console, here: &InWorkspace, id: &str) -> Result<(KeyDetails, Vec<Member>), Refusal> {
    let id: CredentialId = id.parse().map_err(|_| Refusal::NoPage)?;
    let accounts = &console.parts.accounts;
    let keys = accounts.keys.list(here.id()).await?;
    let key = keys.into_iter().find(|key| key.id == id).ok_or(Refusal::NoPage)?;
    Ok((key, accounts.members.list(here.id()).await?))
}

fn page(
    console: &Console,
    here: &InWorkspace,
    key: &KeyDetails,
    members: &[Member],
    why: Option<&str>,
) -> HttpResponse {
    let now = console.parts.clock.now();
    let may_rotate = role_of_creator(key, members).is_some_and(|role| manage::may_rotate(here.role(), role));
    let own = path(here, key);
    let hidden = |deed: &str| {
        html! {
            (here.user.token_field())
            input type="hidden" name="do" value=(deed);
        }
    };
    let until = |at: Option<time::OffsetDateTime>, never: &str| match at {
        Some(at) => moment(at),
        None => html! { (never) },
    };
    let content = html! {
        (fault(why))
        (facts([
            ("Begins with", Some(html! { code { (key.prefix) "…" } })),
            ("Created by", Some(creator(key, members))),
            ("Created", Some(moment(key.created_at))),
            ("Last used", Some(last_used(key))),
            ("Ends", Some(until(key.expires_at, "never"))),
            ("May be used from", Some(html! {
                @match &key.allowlist {
                    Some(entries) => { ul { @for entry in entries { li { code { (shown(entry)) } } } } }
                    None => { "anywhere" }
                }
            })),
            ("May", Some(html! { ul { @for scope in key.scopes.iter() { li { code { (scope) } " " (scope.meaning()) } } } })),
        ]))
        @if let Some(at) = key.revoked_at { p { "It was revoked on " (moment(at)) "." } }
        @if key.is_live(now) && here.role() >= CHANGERS {
            @if may_rotate {
                form.card method="post" action=(own) {
                    (hidden("rotate"))
                    (repeated::field())
                    h2 { "A new secret" }
                    p { "The key keeps its name, its permissions and its id. Its present secret works on for a while, so that you can put the new one in place." }
                    (Field::new("grace", "The present secret works on for", Grace::OneDay.as_str())
                        .select(Grace::ALL.map(|grace| (grace.as_str(), length(grace)))))
                    div.actions { button type="submit" { "Make a new secret" } }
                }
            } @else if role_of_creator(key, members).is_none() {
                p.note { "Its creator is no member any more, so every call by it is refused. Make a key of your own for whoever calls by it, and revoke this one." }
            } @else {
                p.note { "A key acts with its creator’s role, so only they and those whose role is as high give it a new secret." }
            }
            (Danger {
                title: "Revoke this key",
                meaning: "Every node refuses it from then on. That can’t be undone.",
                action: &own,
                hidden: hidden("revoke"),
                button: "Revoke the key",
                typed: None,
                fault: None,
            }.show())
        }
    };
    let status = if why.is_some() {
        StatusCode::CONFLICT
    } else {
        StatusCode::OK
    };
    let title = shown(&key.name);
    frame(here, &title)
        .mark(state(key, members, now))
        .status(status)
        .with(&content)
}

fn length(grace: Grace) -> &'static str {
    match grace {
        Grace::None => "no time: it ends now",
        Grace::OneHour => "1 hour",
        Grace::OneDay => "24 hours",
        Grace::ThreeDays => "3 days",
        Grace::SevenDays => "7 days",
    }
}

fn frame<'a>(here: &'a InWorkspace, title: &'a str) -> Page<'a> {
    Page::new(title, Some(here.user.owner()))
        .at(here.place("keys"))
        .below(workspace_path(here.id(), "keys"), "API keys")
}
