//! One report: when it is made, who gets it, and which were made.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_domain::{ids::ReportRecipientId, module::Module, role::Role, runs::Requester};
use pharos_reporting::{
    format::ReportTrigger,
    mails::store::SendNowError,
    recipients::{recipient::Address, store::RecipientError},
    run::{NewReportRun, of_template},
    store::RunFilter,
    template::Template,
};

use super::{
    CHANGERS, EDITORS, made,
    recipients::{ADDRESS, RECIPIENT, section},
    when,
};
use crate::{
    console::Console,
    domain::{frame, named},
    enter::AtDomain,
    form::Form,
    nav::domain_path,
    page::{fault, go, moment},
    parts::{facts::facts, form::Faults, notice},
    refusal::Refusal,
    repeated,
    sentence::sentence,
    shown::shown,
};

/// GET /console/domains/{domain_id}/reports/{template_id}
pub(crate) async fn show(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let (here, template) = find(&console, &request, &path, Role::Viewer).await?;
    let done = match request.query_string() {
        "asked" => Some("They are asked by a mail."),
        "removed" => Some("They get no more reports, and their address is forgotten."),
        "sent" => Some("The report is being made. It goes to all who said yes."),
        "making" => {
            Some("The report is being made, which takes some seconds. Load this page again to get its file.")
        }
        "made" => Some("The report was saved."),
        "changed" => Some("The report was changed. What is being made is made as it was."),
        _ => None,
    };
    let said = Said {
        done,
        ..Said::default()
    };
    page(&console, &here, &template, &said).await
}

/// POST /console/domains/{domain_id}/reports/{template_id}
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    let least = if form.one("do") == "make" {
        EDITORS
    } else {
        CHANGERS
    };
    let (here, template) = find(&console, &request, &path, least).await?;
    here.user.check(&form, &console)?;
    if form.one("do") != "remove" {
        if !here.has(Module::Reports) {
            let said = Said {
                refused: Some("The plan of this workspace has no reports.".to_owned()),
                ..Said::default()
            };
            return page(&console, &here, &template, &said).await;
        }
        here.writable()?;
    }
    let (digest, parts) = (form.digest(&request, &here.user.secret), console.clone());
    let work = async move { take(&parts, &here, &template, &form).await };
    console.repeated.answer(digest, work).await
}

/// Takes the step that the form asks for.
async fn take(
    console: &Console,
    here: &AtDomain,
    template: &Template,
    form: &Form,
) -> Result<HttpResponse, Refusal> {
    let done = match form.one("do") {
        "add" => return add(console, here, template, form).await,
        "again" => again(console, here, template, form).await?,
        "remove" => remove(console, here, template, form).await?,
        "send" => by_hand(console, here, template, true).await?,
        "make" => by_hand(console, here, template, false).await?,
        _ => return Err(Refusal::NoForm),
    };
    match done {
        Ok(done) => Ok(go(&format!("{}?{done}", path_of(here, template)))),
        Err(why) => {
            let said = Said {
                refused: Some(why),
                ..Said::default()
            };
            page(console, here, template, &said).await
        }
    }
}

/// The page's answer to the form that was sent.
#[derive(Default)]
struct Said {
    done: Option<&'static str>,
    refused: Option<String>,
    typed: String,
    faults: Faults,
}

/// The template of a path, of a domain of the user's.
pub(super) async fn find(
    console: &Console,
    request: &HttpRequest,
    (domain, template): &(String, String),
    least: Role,
) -> Result<(AtDomain, Template), Refusal> {
    let here = console.at_domain(request, domain, least).await?;
    let id = template.parse().map_err(|_| Refusal::NoPage)?;
    let template = console.parts.reports.templates.find(&here.access, id).await?;
    Ok((here, template.ok_or(Refusal::NoPage)?))
}

/// The path of a template's page.
pub(super) fn path_of(here: &AtDomain, template: &Template) -> String {
    domain_path(here.id(), &format!("reports/{}", template.id))
}

/// Says for people what was done, or why it was not.
type Done = Result<&'static str, String>;

async fn add(
    console: &Console,
    here: &AtDomain,
    template: &Template,
    form: &Form,
) -> Result<HttpResponse, Refusal> {
    let typed = form.one(ADDRESS);
    // Readers elsewhere would take it for the word of the site's owner.
    let is_verified = named(console, here).await?.is_verified;
    let why = match Address::parse(typed) {
        None => "This is no mail address, such as client@shop.example.".to_owned(),
        Some(_) if !is_verified => "The domain is not verified. Show in its settings that it is yours; then others may get its reports.".to_owned(),
        Some(address) => {
            let (actor, now) = (here.user.actor(), console.parts.clock.now());
            let recipients = &console.parts.reports.recipients;
            match recipients.add(template.id, &address, &actor, now).await {
                Ok(_) => return Ok(go(&format!("{}?asked", path_of(here, template)))),
                Err(error) => recipient_fault(error)?,
            }
        }
    };
    let mut said = Said {
        typed: typed.to_owned(),
        ..Said::default()
    };
    said.faults.add(ADDRESS, why);
    page(console, here, template, &said).await
}

async fn again(
    console: &Console,
    here: &AtDomain,
    template: &Template,
    form: &Form,
) -> Result<Done, Refusal> {
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let recipients = &console.parts.reports.recipients;
    match recipients
        .ask_again(template.id, recipient(form)?, &actor, now)
        .await
    {
        Ok(_) => Ok(Ok("asked")),
        Err(error) => Ok(Err(recipient_fault(error)?)),
    }
}

async fn remove(
    console: &Console,
    here: &AtDomain,
    template: &Template,
    form: &Form,
) -> Result<Done, Refusal> {
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let recipients = &console.parts.reports.recipients;
    match recipients
        .remove(template.id, recipient(form)?, &actor, now)
        .await
    {
        Ok(()) => Ok(Ok("removed")),
        Err(error) => Ok(Err(recipient_fault(error)?)),
    }
}

/// Makes the report now, and mails it to its recipients if that is requested.
async fn by_hand(
    console: &Console,
    here: &AtDomain,
    template: &Template,
    is_mailed: bool,
) -> Result<Done, Refusal> {
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    let identity = here.access.identity();
    let requester = Requester {
        kind: identity.kind,
        credential_id: identity.credential_id,
    };
    let new = of_template(
        template,
        here.workspace(),
        requester,
        ReportTrigger::Dashboard,
        now,
    );
    let Some(new) = new else {
        return Ok(Err(
            "The period of this report is none any more: change it.".to_owned()
        ));
    };
    let new = NewReportRun { is_mailed, ..new };
    let sending = &console.parts.reports.sending;
    match sending.send_now(&here.access, &new, &actor, now).await {
        Ok(_) => Ok(Ok(if is_mailed { "sent" } else { "making" })),
        Err(SendNowError::Store(error)) => Err(error.into()),
        Err(SendNowError::NoTemplate) => Err(Refusal::NoPage),
        Err(error) => Ok(Err(sentence(&error.to_string()))),
    }
}

fn recipient(form: &Form) -> Result<ReportRecipientId, Refusal> {
    form.one(RECIPIENT).parse().map_err(|_| Refusal::NoForm)
}

/// Says for people what is wrong; an error that is no fault of the form refuses the page.
fn recipient_fault(error: RecipientError) -> Result<String, Refusal> {
    match error {
        RecipientError::Store(error) => Err(error.into()),
        RecipientError::NoTemplate => Err(Refusal::NoPage),
        error => Ok(sentence(&error.to_string())),
    }
}

async fn page(
    console: &Console,
    here: &AtDomain,
    template: &Template,
    said: &Said,
) -> Result<HttpResponse, Refusal> {
    let may_change = here.role() >= CHANGERS;
    let filter = RunFilter {
        template: Some(template.id),
        status: None,
    };
    let made = made::table(console, here, filter).await?;
    let path = path_of(here, template);
    let recipients = match may_change {
        true => {
            let listed = console.parts.reports.recipients.list(template.id).await;
            let listed = listed.map_err(|error| match error {
                RecipientError::Store(error) => error.into(),
                _ => Refusal::NoPage,
            })?;
            section(here, &path, &listed, &said.typed, &said.faults)
        }
        false => html! {
            p { "Owners and admins of the workspace say who gets this report. It goes to " (template.recipients) " of them by mail." }
        },
    };
    let content = html! {
        (fault(said.refused.as_deref()))
        (said.faults.summary())
        @if let Some(done) = said.done { (notice::done(done)) }
        (about(template))
        @if may_change && console.parts.link_mailer.is_none() {
            (notice::hint(&html! {
                p { "This Pharos has no mail server: nobody is asked, and no report is mailed, until whoever runs it sets one up." }
            }))
        }
        (recipients)
        (made::section(made))
    };
    let status = match (&said.refused, said.faults.is_empty()) {
        (Some(_), _) => StatusCode::CONFLICT,
        (None, false) => StatusCode::BAD_REQUEST,
        (None, true) => StatusCode::OK,
    };
    let title = shown(&template.settings.name);
    let frame = frame(here, &title, "reports")
        .below(domain_path(here.id(), "reports"), "Reports")
        .status(status);
    let (may_edit, may_send) = (here.role() >= EDITORS, may_change && template.recipients > 0);
    let frame = if may_edit {
        frame.actions(html! {
            a.button.quiet href={ (path) "/edit" } { "Change" }
            (by_hand_form(here, &path, may_send))
        })
    } else {
        frame
    };
    Ok(frame.with(&content))
}

fn by_hand_form(here: &AtDomain, path: &str, may_send: bool) -> Markup {
    html! {
        form method="post" action=(path) {
            (here.user.token_field())
            (repeated::field())
            button.quiet type="submit" name="do" value="make" { "Make now" }
            @if may_send { " " button type="submit" name="do" value="send" { "Send now" } }
        }
    }
}

fn about(template: &Template) -> Markup {
    let settings = &template.settings;
    let last = template.last_run_at.map(moment);
    facts([
        ("Made", Some(html! { (when(settings.schedule.as_ref())) })),
        (
            "About",
            Some(html! { (settings.default_period.as_str().replace('_', " ")) }),
        ),
        ("Form", Some(html! { (settings.format.as_str().to_uppercase()) })),
        ("Gets it by mail", Some(html! { (template.recipients) })),
        ("Last made", Some(last.unwrap_or_else(|| html! { "never" }))),
    ])
}
