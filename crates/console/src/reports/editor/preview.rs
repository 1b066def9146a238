//! The preview of a report, as the frame of its editor shows it: the report's own page, made from what is typed.

use actix_web::{
    HttpRequest, HttpResponse, ResponseError,
    http::{StatusCode, header},
    web,
};
use maud::{DOCTYPE, Markup, html};
use pharos_domain::module::Module;
use pharos_reporting::{
    document::Document,
    render::html::report,
    template::TemplateSettings,
    window::{AskedWindow, UsualWindow},
};

use super::{draft::Draft, faults::at_fields};
use crate::{
    console::Console, enter::AtDomain, form::Form, parts::form::Faults, permits::WITHIN, refusal::Refusal,
    reports::EDITORS,
};

/// The report runs nothing, loads nothing and leads nowhere, as its file does, and only pages of this console show it.
const POLICY: &str = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'self'";

/// POST /console/domains/{domain_id}/reports/preview
pub(crate) async fn show(
    request: HttpRequest,
    payload: web::Payload,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> HttpResponse {
    match made(&console, &request, payload, &id).await {
        Ok(answer) => answer,
        // Pages of the console show in no frame, so what went wrong is told in the frame's own page.
        Err(refusal) => {
            let status = match &refusal {
                Refusal::SignIn { .. } => StatusCode::UNAUTHORIZED,
                other => other.status_code(),
            };
            let advice = html! { p { "Nothing was changed. Load the page again, or try it once more." } };
            framed(status, notice(refusal.title(), &advice))
        }
    }
}

async fn made(
    console: &Console,
    request: &HttpRequest,
    payload: web::Payload,
    id: &str,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(console, request, payload).await?;
    let here = console.at_domain(request, id, EDITORS).await?;
    here.user.check(&form, console)?;
    if !here.has(Module::Reports) {
        return Err(Refusal::NoPage);
    }
    let mut wanted = Draft::sent(&console.parts.widgets, &form).settings()?;
    if wanted.name.is_empty() {
        "Report".clone_into(&mut wanted.name);
    }
    let sections = wanted.sections.clone();
    let settings = match wanted.checked(&console.parts.widgets, &console.parts.policy) {
        Ok(settings) => settings,
        Err(found) => {
            let faults = at_fields(found, &sections, &console.parts.widgets);
            return Ok(framed(StatusCode::BAD_REQUEST, faulty(&faults)));
        }
    };
    let document = document(console, &here, settings).await?;
    Ok(framed(StatusCode::OK, report(&document)))
}

async fn document(
    console: &Console,
    here: &AtDomain,
    settings: TemplateSettings,
) -> Result<Document, Refusal> {
    let usual = UsualWindow {
        period: settings.default_period,
        compares: settings.compare_previous,
    };
    let now = console.parts.clock.now();
    let (window, _) = AskedWindow::default()
        .resolve(usual, now)
        .map_err(|_| Refusal::NoForm)?;
    let _permit = console.page_permits.turn(here.workspace()).await?;
    let catalogue = &console.parts.widgets;
    let sections = catalogue
        .read(&here.access, &window, &settings.sections, settings.locale, WITHIN)
        .await;
    Ok(Document {
        title: settings.name,
        domain: here.access.domain().hostname.to_string(),
        window,
        compared: window.comparison(&window.resolved(Module::Reports)),
        locale: settings.locale,
        accent: settings.branding.accent_color,
        logo: None,
        sections,
    })
}

fn faulty(faults: &Faults) -> String {
    let list = html! {
        p { "Change this first. When it is saved, each stands at its field:" }
        ul { @for fault in faults.all() { li { (fault) } } }
    };
    notice("This report is not in order yet", &list)
}

fn notice(title: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                title { (title) }
            }
            body {
                h1 { (title) }
                (content)
            }
        }
    };
    page.into_string()
}

fn framed(status: StatusCode, page: String) -> HttpResponse {
    HttpResponse::build(status)
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(page)
}
