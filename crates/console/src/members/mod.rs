//! Members of a workspace: everybody of it sees who they are, owners and admins look after them.

pub(crate) mod add;
pub(crate) mod one;

use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_account::admin::members::{Member, may_join};
use pharos_auth::{
    secret::Secret,
    sign_in::{
        link_mail::{LinkMail, LinkReason},
        session::LINK_LIFETIME,
    },
};
use pharos_domain::{ids::UserId, role::Role, store::StoreError};

use crate::{
    console::{Console, WELCOME_PATH},
    enter::InWorkspace,
    nav::workspace_path,
    page::{Page, moment},
    parts::{
        copy::copied,
        mark::badge,
        notice,
        table::{Column, Part, Table},
    },
    refusal::Refusal,
    shown::shown,
};

/// How long a page waits for the mail server.
const MAILED_WITHIN: Duration = Duration::from_secs(15);
/// Who may change them.
const CHANGERS: Role = Role::Admin;

/// GET /console/w/{workspace_id}/members
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &id, Role::Viewer).await?;
    let members = console.parts.accounts.members.list(here.id()).await?;
    let part = Part::of(&members, request.query_string());
    let table = Table {
        caption: "Members",
        columns: &[
            Column::text("E-mail address"),
            Column::text("Role"),
            Column::figure("Credits a cycle"),
            Column::text("Since").spare(),
        ],
        rows: part
            .items
            .iter()
            .map(|member| {
                vec![
                    html! {
                        a href=(path(&here, member)) { bdi { (shown(&member.email)) } }
                        @if member.user_id == here.user.session.user { " (you)" }
                    },
                    badge(member.role.as_str()),
                    html! { @match member.credit_cap { Some(cap) => (cap), None => "no cap" } },
                    moment(member.created_at),
                ]
            })
            .collect(),
    };
    let content = html! {
        @match request.query_string() {
            "added" => (notice::done("The person is a member now. They sign in as they always do.")),
            "removed" => (notice::done("The person is no member any more. Their keys and apps in this workspace are refused.")),
            _ => {}
        }
        (table.show(&html! {}))
        (part.pages(&workspace_path(here.id(), "members")))
        h2 { "Roles" }
        dl {
            @for role in Role::ALL { dt { (role) } dd { (meaning(*role)) } }
        }
    };
    let page = Page::new("Members", Some(here.user.owner()))
        .at(here.place("members"))
        .wide();
    let page = if here.role() >= CHANGERS {
        page.actions(html! { a.button href=(workspace_path(here.id(), "members/new")) { "Add a person" } })
    } else {
        page
    };
    Ok(page.with(&content))
}

/// Says for people what a role may do.
fn meaning(role: Role) -> &'static str {
    match role {
        Role::Viewer => {
            "Sees everything of the workspace but its settings, channels, jobs, refused requests and audit trail."
        }
        Role::Member => {
            "May start work too, such as a check on demand, and looks after rules, reports, pages of the lab and what is watched."
        }
        Role::Admin => {
            "Changes settings, and looks after domains, status pages, keys, channels, and all members but owners."
        }
        Role::Owner => "May do everything, and looks after owners. A workspace keeps at least one.",
    }
}

fn path(here: &InWorkspace, member: &Member) -> String {
    workspace_path(here.id(), &format!("members/{}", member.user_id))
}

/// The roles that somebody may give: none above their own.
fn given_by(role: Role) -> impl Iterator<Item = (&'static str, &'static str)> {
    let roles = Role::ALL.iter().filter(move |given| **given <= role);
    roles.map(|role| (role.as_str(), role.as_str()))
}

fn frame<'a>(here: &'a InWorkspace, title: &'a str) -> Page<'a> {
    Page::new(title, Some(here.user.owner()))
        .at(here.place("members"))
        .below(workspace_path(here.id(), "members"), "Members")
}

/// Says why a person gets no such role beside these members: somebody who may do less can know their password, and would act as
/// them. `None`: nobody can. `then` is what may be done once they have set another.
async fn known_to_others(
    console: &Console,
    person: UserId,
    members: &[Member],
    role: Role,
    then: &str,
) -> Result<Option<String>, StoreError> {
    let now = console.parts.clock.now();
    let makers = console.parts.accounts.sign_in.link_makers(person, now).await?;
    if may_join(&makers, members, role) {
        return Ok(None);
    }
    let way = if console.parts.link_mailer.is_some() {
        "Ask them to have a link mailed to them from the sign-in page"
    } else {
        "Ask whoever runs this Pharos to make a link for them"
    };
    Ok(Some(format!(
        "Somebody else made the link by which this person set their password, and can know it. {way}. Once \
         they have set a new password by it, {then}."
    )))
}

/// A link by which somebody sets a password, the one time that it is shown. It is mailed to them too, where mails are sent.
async fn once(console: &Console, email: &str, link: &Secret, reason: &LinkReason) -> Markup {
    let address = format!("{}{WELCOME_PATH}/{}", console.origin, link.reveal());
    let mailed = mail(console, email, &address, reason).await;
    html! {
        @match mailed {
            Some(Ok(())) => (notice::done("The link was mailed to them. You can give it to them yourself too.")),
            Some(Err(why)) => {
                (notice::hint(&html! { p { "The link could not be mailed: " (shown(&why)) ". Give it to them yourself." } }))
            }
            None => {}
        }
        section.card.sum {
            p {
                "Give this link to " strong { bdi { (shown(email)) } } ", and to nobody else: whoever opens it sets their password. "
                "It is good once, for " (LINK_LIFETIME.whole_hours()) " hours, and is not shown again."
            }
            (copied("link", "Link", &address))
        }
    }
}

/// Mails a link. `None`: no mails are sent.
async fn mail(console: &Console, to: &str, link: &str, reason: &LinkReason) -> Option<Result<(), String>> {
    let mailer = console.parts.link_mailer.as_ref()?;
    let mail = LinkMail { to, reason, link };
    let sent = tokio::time::timeout(MAILED_WITHIN, mailer.mail(&mail)).await;
    Some(match sent {
        Ok(sent) => sent.map_err(|error| error.why),
        Err(_) => Err("the mail server did not take it in time".to_owned()),
    })
}
