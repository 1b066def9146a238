//! A new member: somebody who has an account, or for whom one is made, with the link by which they set a password.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::html;
use pharos_account::admin::{
    AdminError, check_name,
    members::may_change,
    users::{User, check_email},
};
use pharos_auth::{
    secret::Secret,
    sign_in::{desk, link_mail::LinkReason},
};
use pharos_domain::{
    hourly_limit::{HourlyAdmission, HourlyLimit, HourlyRequest},
    patch::Patch,
    role::Role,
    store::StoreError,
};

use super::{CHANGERS, frame, given_by, known_to_others, once};
use crate::{
    console::Console,
    enter::InWorkspace,
    form::Form,
    nav::workspace_path,
    page::go,
    parts::form::{Faults, Field},
    refusal::{Refusal, change_fault},
    repeated,
};

/// How many people an hour one user may add.
const ADDED_PER_HOUR: HourlyLimit = HourlyLimit {
    name: "console-add-member",
    per_hour: 60,
};

/// GET /console/w/{workspace_id}/members/new
pub(crate) async fn ask(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &id, CHANGERS).await?;
    Ok(page(&here, None, &Faults::default()))
}

/// POST /console/w/{workspace_id}/members/new
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let here = console.in_workspace(&request, &id, CHANGERS).await?;
    here.user.check(&sent, &console)?;
    here.writable()?;
    let form = sent.digest(&request, &here.user.secret);
    let parts = console.clone();
    let work = async move { submitted(&parts, &here, &sent).await };
    console.repeated.answer(form, work).await
}

async fn submitted(console: &Console, here: &InWorkspace, sent: &Form) -> Result<HttpResponse, Refusal> {
    let role: Role = sent.one("role").parse().map_err(|_| Refusal::NoForm)?;
    if !may_change(here.role(), None, Some(role)) {
        return Err(Refusal::NotAllowed { least: Role::Owner });
    }
    let mut faults = Faults::default();
    let (email, name) = (
        check_email(sent.one("email")),
        check_name("a name", sent.one("name")),
    );
    let (email, name) = match (email, name) {
        (Ok(email), Ok(name)) => (email, name),
        (email, name) => {
            for (field, error) in [("email", email.err()), ("name", name.err())] {
                if let Some(error) = error {
                    faults.add(field, change_fault(error)?);
                }
            }
            return Ok(page(here, Some(sent), &faults));
        }
    };
    admit(console, here).await?;
    match add(console, here, &email, &name, role).await {
        Ok(Some(link)) => {
            let reason = LinkReason::Invited {
                by: here.user.session.email.clone(),
                workspace: here.name().to_owned(),
            };
            let once = once(console, &email, &link, &reason).await;
            let content = html! {
                (once)
                div.actions { a.button href=(workspace_path(here.id(), "members")) { "Go on to the members" } }
            };
            Ok(frame(here, "The person is a member").with(&content))
        }
        Ok(None) => Ok(go(&format!("{}?added", workspace_path(here.id(), "members")))),
        Err(Failure::Refused(refusal)) => Err(refusal),
        Err(Failure::Fault(why)) => {
            faults.add("email", why);
            Ok(page(here, Some(sent), &faults))
        }
    }
}

/// Why somebody was not added.
enum Failure {
    Refused(Refusal),
    Fault(String),
}

impl From<AdminError> for Failure {
    fn from(error: AdminError) -> Self {
        change_fault(error).map_or_else(Self::Refused, Self::Fault)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Refused(error.into())
    }
}

/// Adds the person. Gives a link where they had no account.
async fn add(
    console: &Console,
    here: &InWorkspace,
    email: &str,
    name: &str,
    role: Role,
) -> Result<Option<Secret>, Failure> {
    let accounts = &console.parts.accounts;
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let known: Option<User> = accounts.users.find(email).await?;
    let (user, is_new) = match known {
        Some(user) => (user, false),
        None => {
            let maker = here.user.session.user;
            let admitted = console.parts.desk.admit_link(maker, email).await;
            admitted.map_err(|error| Failure::Refused(error.into()))?;
            (accounts.users.create(email, name, &actor, now).await?, true)
        }
    };
    let members = accounts.members.list(here.id()).await?;
    if members.iter().any(|member| member.user_id == user.id) {
        return Err(Failure::Fault("This person is a member already.".to_owned()));
    }
    if let Some(why) = known_to_others(console, user.id, &members, role, "add them").await? {
        return Err(Failure::Fault(why));
    }
    accounts
        .members
        .put(here.id(), user.id, role, Patch::Keep, &actor, now)
        .await?;
    if !is_new {
        return Ok(None);
    }
    desk::issue_link(&*accounts.sign_in, user.id, &actor, now)
        .await
        .map_err(|error| Failure::Refused(error.into()))
}

async fn admit(console: &Console, here: &InWorkspace) -> Result<(), Refusal> {
    let asked = HourlyRequest {
        limit: ADDED_PER_HOUR,
        subject: here.user.session.user.0.as_bytes(),
        weight: 1,
        now: console.parts.clock.now(),
    };
    match console.parts.limiter.admit_hourly(&asked).await {
        HourlyAdmission::Admitted => Ok(()),
        HourlyAdmission::Refused { retry_after_seconds } => Err(Refusal::TooOften { retry_after_seconds }),
    }
}

fn page(here: &InWorkspace, sent: Option<&Form>, faults: &Faults) -> HttpResponse {
    let value = |name| sent.map(|form| form.one(name)).unwrap_or_default();
    let role = sent.map_or(Role::Member.as_str(), |form| form.one("role"));
    let content = html! {
        (faults.summary())
        form.card method="post" action=(workspace_path(here.id(), "members/new")) {
            (here.user.token_field())
            (repeated::field())
            (Field::new("email", "E-mail address", value("email")).kind("email").max(254).faults(faults).line())
            (Field::new("name", "Name", value("name")).max(100)
                .hint("Used where they have no account yet.").faults(faults).line())
            (Field::new("role", "Role", role).select(given_by(here.role())))
            p.note { "Where they have no account yet, you get a link for them, by which they set their password." }
            div.actions {
                button type="submit" { "Add the person" }
                a.button.quiet href=(workspace_path(here.id(), "members")) { "Back" }
            }
        }
    };
    let status = if faults.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    };
    frame(here, "Add a person").status(status).with(&content)
}
