//! The editor of templates: what is in a report, how it looks, when it is made by itself.

mod draft;
mod faults;
mod fields;
pub(crate) mod preview;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_domain::{module::Module, settings::SettingFault};
use pharos_reporting::{
    config::SectionsConfig,
    template::{Template, TemplateSettings},
};
use serde_json::{Value, json};

use self::{
    draft::{Draft, OPEN},
    faults::{at_fields, faults_of, unsettled},
};
use super::{
    EDITORS,
    one::{find, path_of},
};
use crate::{
    console::Console,
    domain::frame,
    enter::AtDomain,
    form::Form,
    nav::domain_path,
    page::go,
    parts::{
        danger::Danger,
        form::{Faults, as_seen, outdated},
        notice,
    },
    refusal::Refusal,
    repeated,
    shown::shown,
};

/// The form, and what the page says of it.
struct Edited {
    draft: Draft,
    faults: Faults,
}

impl Edited {
    fn of(draft: Draft) -> Self {
        Self {
            draft,
            faults: Faults::default(),
        }
    }

    fn faulty(draft: Draft, faults: Faults) -> Self {
        Self { draft, faults }
    }

    /// The form that was sent, with the section open that its button opens, or with what it moves in its new place; `None`: its
    /// button does neither.
    fn turned(console: &Console, form: &Form) -> Option<Self> {
        let what = form.one("move");
        if what.is_empty() && form.one(OPEN).is_empty() {
            return None;
        }
        let mut draft = Draft::sent(&console.parts.widgets, form);
        draft.shift(what);
        Some(Self::of(draft))
    }
}

/// GET /console/domains/{domain_id}/reports/new
pub(crate) async fn ask_new(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.at_domain(&request, &id, EDITORS).await?;
    let draft = Draft::new(&console.parts.widgets);
    Ok(page(&here, None, &Edited::of(draft)))
}

/// POST /console/domains/{domain_id}/reports/new
pub(crate) async fn submit_new(
    request: HttpRequest,
    payload: web::Payload,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    let here = console.at_domain(&request, &id, EDITORS).await?;
    here.user.check(&form, &console)?;
    if let Some(edited) = Edited::turned(&console, &form) {
        return Ok(page(&here, None, &edited));
    }
    may_save(&here)?;
    let (digest, parts) = (form.digest(&request, &here.user.secret), console.clone());
    let work = async move { create(&parts, &here, &form).await };
    console.repeated.answer(digest, work).await
}

async fn create(console: &Console, here: &AtDomain, form: &Form) -> Result<HttpResponse, Refusal> {
    let draft = Draft::sent(&console.parts.widgets, form);
    let wanted = draft.settings()?;
    let sections = wanted.sections.clone();
    let settings = match judged(console, wanted, &sections) {
        Ok(settings) => settings,
        Err(faults) => return Ok(page(here, None, &Edited::faulty(draft, faults))),
    };
    let noted = here.noting(
        console,
        "report_template.create",
        here.id().to_string(),
        told(&settings),
    );
    let (templates, now) = (&console.parts.reports.templates, console.parts.clock.now());
    match templates.create(&noted, &settings, now).await {
        Ok(template) => {
            console.parts.answers.outdated(here.id(), Module::Reports).await;
            Ok(go(&format!("{}?made", path_of(here, &template))))
        }
        Err(error) => {
            let faults = faults_of(error, &sections, &console.parts.widgets)?;
            Ok(page(here, None, &Edited::faulty(draft, faults)))
        }
    }
}

/// GET /console/domains/{domain_id}/reports/{template_id}/edit
pub(crate) async fn ask(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let (here, template) = find(&console, &request, &path, EDITORS).await?;
    let draft = Draft {
        seen: state(&template),
        ..Draft::stored(&console.parts.widgets, &template.settings)
    };
    Ok(page(&here, Some(&template), &Edited::of(draft)))
}

/// POST /console/domains/{domain_id}/reports/{template_id}/edit
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    let (here, template) = find(&console, &request, &path, EDITORS).await?;
    here.user.check(&form, &console)?;
    if let Some(edited) = Edited::turned(&console, &form) {
        return Ok(page(&here, Some(&template), &edited));
    }
    may_save(&here)?;
    let draft = Draft::sent(&console.parts.widgets, &form);
    let wanted = draft.settings()?;
    let sections = wanted.sections.clone();
    let settings = match judged(&console, wanted, &sections) {
        Ok(settings) => settings,
        Err(faults) => return Ok(page(&here, Some(&template), &Edited::faulty(draft, faults))),
    };
    let noted = here.noting(
        &console,
        "report_template.update",
        template.id.to_string(),
        told(&settings),
    );
    let as_found = state(&template);
    let change = |present: Option<&TemplateSettings>| -> Result<TemplateSettings, Vec<SettingFault>> {
        // The form has all settings: it would undo what somebody else changed, up to this moment.
        as_seen(&draft.seen, &as_found)?;
        if present.is_some_and(|present| *present != template.settings) {
            return Err(outdated());
        }
        Ok(settings.clone())
    };
    let (templates, now) = (&console.parts.reports.templates, console.parts.clock.now());
    match templates.update(&noted, template.id, &change, now).await {
        Ok(None) => Err(Refusal::NoPage),
        Ok(Some(changed)) => {
            console.parts.answers.outdated(here.id(), Module::Reports).await;
            Ok(go(&format!("{}?changed", path_of(&here, &changed))))
        }
        Err(error) => {
            let faults = faults_of(error, &sections, &console.parts.widgets)?;
            Ok(page(&here, Some(&template), &Edited::faulty(draft, faults)))
        }
    }
}

/// POST /console/domains/{domain_id}/reports/{template_id}/delete. Whose subscription has ended may still take things away.
pub(crate) async fn delete(
    request: HttpRequest,
    payload: web::Payload,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    let (here, template) = find(&console, &request, &path, EDITORS).await?;
    here.user.check(&form, &console)?;
    let noted = here.noting(
        &console,
        "report_template.delete",
        template.id.to_string(),
        told(&template.settings),
    );
    let (templates, now) = (&console.parts.reports.templates, console.parts.clock.now());
    let was_there = templates
        .delete(&noted, template.id, now)
        .await
        .map_err(unsettled)?;
    if !was_there {
        return Err(Refusal::NoPage);
    }
    console.parts.answers.outdated(here.id(), Module::Reports).await;
    Ok(go(&format!("{}?deleted", domain_path(here.id(), "reports"))))
}

/// The state of a template, by the time of its last change.
fn state(template: &Template) -> String {
    template.updated_at.unix_timestamp_nanos().to_string()
}

fn may_save(here: &AtDomain) -> Result<(), Refusal> {
    here.writable()?;
    if here.has(Module::Reports) {
        Ok(())
    } else {
        Err(Refusal::NoPage)
    }
}

/// The settings, if they are in order by the rules that the API has too; else what is wrong, each at its field.
fn judged(
    console: &Console,
    wanted: TemplateSettings,
    sections: &SectionsConfig,
) -> Result<TemplateSettings, Faults> {
    wanted
        .checked(&console.parts.widgets, &console.parts.policy)
        .map_err(|found| at_fields(found, sections, &console.parts.widgets))
}

/// The details of a template for the audit trail.
fn told(settings: &TemplateSettings) -> Value {
    json!({
        "name": settings.name,
        "format": settings.format,
        "default_period": settings.default_period,
        "is_scheduled": settings.schedule.as_ref().is_some_and(|schedule| schedule.enabled),
    })
}

/// The page of the editor: the form, and the frame in which its report is shown.
fn page(here: &AtDomain, template: Option<&Template>, edited: &Edited) -> HttpResponse {
    let list = domain_path(here.id(), "reports");
    let (title, action) = match template {
        Some(template) => (
            shown(&template.settings.name),
            format!("{}/edit", path_of(here, template)),
        ),
        None => ("A new report".to_owned(), format!("{list}/new")),
    };
    let content = html! {
        @if !here.has(Module::Reports) {
            (notice::hint(&html! { p { "The plan of this workspace has no reports: nothing can be saved." } }))
        }
        (edited.faults.summary())
        div.editor {
            (form(here, &action, &format!("{list}/preview"), template.is_none(), edited))
            section.preview aria-labelledby="preview-head" {
                h2 id="preview-head" { "Preview" }
                p.note { "The report as it is typed, with the figures of its days. Nothing is saved by it." }
                noscript { p { "It stays empty until " strong { "Preview" } " is pressed: this browser runs no scripts." } }
                iframe name="preview" title="Preview of the report" sandbox {}
            }
        }
        @if let Some(template) = template { (danger(here, template)) }
    };
    let status = if edited.faults.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    };
    let page = frame(here, &title, "reports").below(list, "Reports");
    let page = match template {
        Some(template) => page.below(path_of(here, template), title.clone()).part("Change"),
        None => page,
    };
    page.framing().status(status).with(&content)
}

/// The rules judge what was typed, all of it at once, and not the browser.
fn form(here: &AtDomain, action: &str, preview: &str, is_new: bool, edited: &Edited) -> Markup {
    // The first button is the one that the Enter key presses.
    let buttons = |is_first: bool| {
        html! {
            div.actions {
                button type="submit" { "Save" }
                button.quiet type="submit" formaction=(preview) formtarget="preview" data-preview[is_first] { "Preview" }
            }
        }
    };
    html! {
        form method="post" action=(action) novalidate {
            (here.user.token_field())
            @if is_new { (repeated::field()) }
            (buttons(true))
            (fields::all(&edited.draft, &edited.faults, action))
            (buttons(false))
        }
    }
}

fn danger(here: &AtDomain, template: &Template) -> Markup {
    let danger = Danger {
        title: "Delete this report",
        meaning: "It is made no more, and its recipients are forgotten. The reports that were made stay for as long as they are kept.",
        action: &format!("{}/delete", path_of(here, template)),
        hidden: here.user.token_field(),
        button: "Delete",
        typed: None,
        fault: None,
    };
    danger.show()
}
