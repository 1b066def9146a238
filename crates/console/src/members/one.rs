//! A member: their role and cap, a link for a new password, their end here.

use std::slice;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_account::admin::{
    AdminError,
    members::{Member, Power, may_change, may_reset},
};
use pharos_auth::{
    keys::manage::KeyDetails,
    sign_in::{desk, link_mail::LinkReason},
};
use pharos_domain::{
    ids::{UserId, WorkspaceId},
    patch::Patch,
    role::Role,
};

use super::{frame, given_by, known_to_others, once, path};
use crate::{
    console::Console,
    enter::InWorkspace,
    form::Form,
    nav::workspace_path,
    page::{fault, go, moment},
    parts::{
        danger::Danger,
        facts::facts,
        form::{Field, SEEN, state, unlike},
        mark::badge,
        notice,
    },
    refusal::{Refusal, change_fault},
    repeated,
    shown::shown,
};

/// A member, and what the reader may do with them.
struct Shown {
    member: Member,
    /// All members of the workspace.
    members: Vec<Member>,
    /// Their keys that work, which end with their membership.
    keys: Vec<KeyDetails>,
    may_change: bool,
    may_reset: bool,
    is_self: bool,
}

/// GET /console/w/{workspace_id}/members/{user_id}
pub(crate) async fn show(
    request: HttpRequest,
    ids: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &ids.0, Role::Viewer).await?;
    let shown = find(&console, &here, &ids.1).await?;
    let is_changed = request.query_string() == "changed";
    Ok(page(&here, &shown, is_changed, None))
}

/// POST /console/w/{workspace_id}/members/{user_id}
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    ids: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let here = console.in_workspace(&request, &ids.0, Role::Viewer).await?;
    here.user.check(&sent, &console)?;
    let shown = find(&console, &here, &ids.1).await?;
    let result = match sent.one("do") {
        "change" => change(&console, &here, &shown, &sent).await?,
        "transfer" => transfer(&console, &here, &shown).await?,
        "remove" => remove(&console, &here, &shown).await?,
        "link" => {
            let form = sent.digest(&request, &here.user.secret);
            let parts = console.clone();
            let work = async move { link(&parts, &here, &shown).await };
            return console.repeated.answer(form, work).await;
        }
        _ => return Err(Refusal::NoForm),
    };
    match result {
        Ok(location) => Ok(go(&location)),
        Err(why) => Ok(page(&here, &shown, false, Some(&why))),
    }
}

/// Where a change leads, or what was wrong with it.
type Outcome = Result<String, String>;

fn outcome(result: Result<String, AdminError>) -> Result<Outcome, Refusal> {
    match result {
        Ok(location) => Ok(Ok(location)),
        Err(error) => Ok(Err(change_fault(error)?)),
    }
}

async fn change(
    console: &Console,
    here: &InWorkspace,
    shown: &Shown,
    sent: &Form,
) -> Result<Outcome, Refusal> {
    let role: Role = sent.one("role").parse().map_err(|_| Refusal::NoForm)?;
    if !may_change(here.role(), Some(shown.member.role), Some(role)) {
        return Err(Refusal::NotAllowed { least: Role::Owner });
    }
    if role > shown.member.role
        && let Some(why) = kept_from(console, shown, role).await?
    {
        return Ok(Err(why));
    }
    // The form has both: it would give back a role that somebody else took away meanwhile.
    if let Some(faults) = unlike(sent.one(SEEN), &state_of(&shown.member)) {
        return Ok(Err(faults.in_words()));
    }
    let cap = match sent.one("credit_cap").trim() {
        "" => Patch::Clear,
        text => match text.parse() {
            Ok(credits) => Patch::Set(credits),
            Err(_) => return Ok(Err("A cap on credits is a whole number, 0 or more.".to_owned())),
        },
    };
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let members = &console.parts.accounts.members;
    let changed = members
        .put(here.id(), shown.member.user_id, role, cap, &actor, now)
        .await;
    outcome(changed.map(|member| format!("{}?changed", path(here, &member))))
}

/// Says why a member is made no more than they are: somebody who may do less can act as them.
async fn kept_from(console: &Console, shown: &Shown, role: Role) -> Result<Option<String>, Refusal> {
    let then = "change their role";
    Ok(known_to_others(console, shown.member.user_id, &shown.members, role, then).await?)
}

/// The state of a member, that the form of their role and cap is filled from.
fn state_of(member: &Member) -> String {
    let cap = member.credit_cap.map(|cap| cap.to_string()).unwrap_or_default();
    state([member.role.as_str(), cap.as_str()])
}

/// Makes a member an owner, and the owner who does it an admin.
async fn transfer(console: &Console, here: &InWorkspace, shown: &Shown) -> Result<Outcome, Refusal> {
    if here.role() != Role::Owner || shown.is_self {
        return Err(Refusal::NotAllowed { least: Role::Owner });
    }
    if let Some(why) = kept_from(console, shown, Role::Owner).await? {
        return Ok(Err(why));
    }
    let (own, next) = (here.user.session.user, shown.member.user_id);
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let members = &console.parts.accounts.members;
    let made = members.hand_over(here.id(), own, next, &actor, now).await;
    outcome(made.map(|()| format!("{}?changed", path(here, &shown.member))))
}

async fn remove(console: &Console, here: &InWorkspace, shown: &Shown) -> Result<Outcome, Refusal> {
    if !shown.is_self && !may_change(here.role(), Some(shown.member.role), None) {
        return Err(Refusal::NotAllowed { least: Role::Owner });
    }
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let members = &console.parts.accounts.members;
    let removed = members.remove(here.id(), shown.member.user_id, &actor, now).await;
    outcome(removed.map(|()| {
        if shown.is_self {
            "/console".to_owned()
        } else {
            format!("{}?removed", workspace_path(here.id(), "members"))
        }
    }))
}

async fn link(console: &Console, here: &InWorkspace, shown: &Shown) -> Result<HttpResponse, Refusal> {
    if !shown.may_reset {
        return Err(Refusal::NotAllowed { least: Role::Owner });
    }
    let maker = here.user.session.user;
    console.parts.desk.admit_link(maker, &shown.member.email).await?;
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let sign_in = &*console.parts.accounts.sign_in;
    let Some(link) = desk::issue_link(sign_in, shown.member.user_id, &actor, now).await? else {
        let why = "Whoever runs this Pharos has disabled this person, so they can’t sign in.";
        return Ok(page(here, shown, false, Some(why)));
    };
    let reason = LinkReason::Made {
        by: here.user.session.email.clone(),
    };
    let once = once(console, &shown.member.email, &link, &reason).await;
    let content = html! {
        (once)
        div.actions { a.button href=(path(here, &shown.member)) { "Go back to the member" } }
    };
    Ok(frame(here, "A link for a new password").with(&content))
}

/// A member of this workspace.
async fn find(console: &Console, here: &InWorkspace, id: &str) -> Result<Shown, Refusal> {
    let id: UserId = id.parse().map_err(|_| Refusal::NoPage)?;
    let accounts = &console.parts.accounts;
    let members = accounts.members.list(here.id()).await?;
    let found = members.iter().find(|member| member.user_id == id);
    let member = found.cloned().ok_or(Refusal::NoPage)?;
    let now = console.parts.clock.now();
    let mut keys = accounts.keys.list(here.id()).await?;
    keys.retain(|key| key.created_by == id && key.is_live(now));
    let is_self = id == here.user.session.user;
    let (workspaces, users) = tokio::try_join!(
        console.parts.grants.workspaces(id),
        accounts.users.by_ids(slice::from_ref(&id))
    )?;
    let (own, theirs) = (roles(here.workspaces.clone()), roles(workspaces));
    let by = Power {
        roles: &own,
        is_operator: here.user.session.is_operator,
    };
    let person = Power {
        roles: &theirs,
        is_operator: users.iter().any(|user| user.is_operator),
    };
    Ok(Shown {
        keys,
        may_change: may_change(here.role(), Some(member.role), None),
        may_reset: !is_self && may_reset(by, person),
        is_self,
        member,
        members,
    })
}

fn roles(workspaces: Vec<pharos_auth::oauth::store::ConsentWorkspace>) -> Vec<(WorkspaceId, Role)> {
    workspaces
        .into_iter()
        .map(|workspace| (workspace.id, workspace.role))
        .collect()
}

fn page(here: &InWorkspace, shown_member: &Shown, is_changed: bool, why: Option<&str>) -> HttpResponse {
    let Shown { member, .. } = shown_member;
    let email = shown(&member.email);
    let content = html! {
        @if is_changed { (notice::done("The member was changed.")) }
        (fault(why))
        (facts([
            ("Member since", Some(moment(member.created_at))),
            ("Credits a cycle", Some(html! { @match member.credit_cap { Some(cap) => (cap), None => "no cap" } })),
        ]))
        (forms(here, shown_member))
    };
    let status = if why.is_some() {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    frame(here, &email)
        .mark(badge(member.role.as_str()))
        .status(status)
        .with(&content)
}

fn forms(here: &InWorkspace, shown_member: &Shown) -> Markup {
    let Shown {
        member,
        members: _,
        keys,
        may_change,
        may_reset,
        is_self,
    } = shown_member;
    let own = path(here, member);
    let hidden = |deed: &str| {
        html! {
            (here.user.token_field())
            input type="hidden" name="do" value=(deed);
        }
    };
    let cap = member.credit_cap.map(|cap| cap.to_string()).unwrap_or_default();
    let (title, button) = if *is_self {
        ("Leave this workspace", "Leave")
    } else {
        ("Remove from this workspace", "Remove")
    };
    html! {
        @if *may_change {
            form.card method="post" action=(own) {
                (hidden("change"))
                input type="hidden" name=(SEEN) value=(state_of(member));
                (Field::new("role", "Role", member.role.as_str()).select(given_by(here.role())))
                (Field::new("credit_cap", "Credits a cycle", &cap).optional().max(18)
                    .hint("How many of the workspace’s credits their keys and apps may use, all together. Left empty: no cap.").line())
                div.actions { button type="submit" { "Change" } }
            }
        }
        @if *may_reset {
            form.card method="post" action=(own) {
                (hidden("link"))
                (repeated::field())
                p { "Somebody who has lost their password needs a link by which they set a new one. Their sessions end when they use it." }
                div.actions { button type="submit" { "Make a link" } }
            }
        }
        @if here.role() == Role::Owner && !is_self && member.role != Role::Owner {
            (Danger {
                title: "Make them owner in your place",
                meaning: "They own the workspace then, and you are an admin of it. Only they can give it back.",
                action: &own,
                hidden: hidden("transfer"),
                button: "Hand the workspace over",
                typed: None,
                fault: None,
            }.show())
        }
        @if *may_change || *is_self {
            @if !keys.is_empty() {
                p { "These keys end with the membership, and whatever uses them stops:" }
                ul {
                    @for key in keys {
                        li {
                            a href=(workspace_path(here.id(), &format!("keys/{}", key.id))) { bdi { (shown(&key.name)) } }
                            " " code { (key.prefix) "…" } ", last used "
                            @match key.last_used_at { Some(at) => (moment(at)), None => "never" }
                        }
                    }
                }
            }
            (Danger {
                title,
                meaning: "The workspace can’t be seen any more, and keys and apps of this person are refused there.",
                action: &own,
                hidden: hidden("remove"),
                button,
                typed: None,
                fault: None,
            }.show())
        }
    }
}
