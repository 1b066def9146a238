//! The links in mails of reports: the one that says yes, and the one that ends them. Their readers have no account.

use actix_web::{HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_reporting::recipients::{
    bounds::REFUSED_FOR, recipient::RecipientState, store::MailedReport, token::TokenDigest,
};
use uuid::Uuid;

use crate::{console::Console, page::Page, refusal::Refusal, shown::shown};

/// GET /console/reports/confirm/{token}: asks first, since programs that look for viruses follow the links of mails.
pub(crate) async fn ask(
    link: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let asked = match TokenDigest::of_link(&link) {
        Some(digest) => console.parts.reports.by_link.asked(&digest).await?,
        None => None,
    };
    let Some(report) = asked else {
        return Ok(used());
    };
    let content = html! {
        section.card {
            p { (about(&report)) " can be sent to you by mail. You can end that at any time, by the link in each mail." }
            form method="post" action={ "/console/reports/confirm/" (link.as_str()) } {
                div.actions { button type="submit" { "Yes, send me this report" } }
            }
        }
    };
    Ok(Page::new("Do you want this report?", None).with(&content))
}

/// POST /console/reports/confirm/{token}: the token alone says who answers, so the body is not read.
pub(crate) async fn confirm(
    link: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let now = console.parts.clock.now();
    let confirmed = match TokenDigest::of_link(&link) {
        Some(digest) => console.parts.reports.by_link.confirm(&digest, now).await?,
        None => None,
    };
    let Some(report) = confirmed else {
        return Ok(used());
    };
    let content = html! {
        section.card { p { (about(&report)) " comes to you from now on. Each mail has a link that ends that." } }
    };
    Ok(Page::new("You get this report", None).with(&content))
}

/// GET /console/reports/unsubscribe/{token}: asks first, for the same reason.
pub(crate) async fn ask_end(
    link: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let token = token(&link)?;
    let by_link = &console.parts.reports.by_link;
    let Some(report) = by_link.find(token).await? else {
        return if by_link.was_asked(token).await? {
            Ok(ask_no_more(token))
        } else {
            Err(Refusal::NoOpenPage)
        };
    };
    if report.state == RecipientState::Unsubscribed {
        return Ok(ended(&report));
    }
    let content = html! {
        section.card {
            p { (about(&report)) " is sent to you, or you were asked whether you want it." }
            form method="post" action={ "/console/reports/unsubscribe/" (token) } {
                div.actions { button.danger type="submit" { "Send me no more" } }
            }
        }
    };
    Ok(Page::new("Stop these mails?", None).with(&content))
}

/// POST /console/reports/unsubscribe/{token}, also by mail programs themselves (RFC 8058): the token alone says who asks, so the
/// body is not read.
pub(crate) async fn end(
    link: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let token = token(&link)?;
    let now = console.parts.clock.now();
    let by_link = &console.parts.reports.by_link;
    if let Some(report) = by_link.end(token, now).await? {
        return Ok(ended(&report));
    }
    if by_link.refuse(token).await? {
        Ok(refused())
    } else {
        Err(Refusal::NoOpenPage)
    }
}

/// Asks those whom the workspace has removed. Its own words are forgotten by then.
fn ask_no_more(token: Uuid) -> HttpResponse {
    let content = html! {
        section.card {
            p { "The report of this mail is sent to you no more. Its workspace may still ask you whether you want one." }
            form method="post" action={ "/console/reports/unsubscribe/" (token) } {
                div.actions { button.danger type="submit" { "Ask me no more" } }
            }
        }
    };
    Page::new("Stop these mails?", None).with(&content)
}

fn refused() -> HttpResponse {
    let content = html! {
        section.card { p { "The workspace cannot ask you again for " (REFUSED_FOR.whole_days()) " days." } }
    };
    Page::new("You get no more of these mails", None).with(&content)
}

fn about(report: &MailedReport) -> Markup {
    html! {
        "The report " strong { bdi { (shown(&report.template_name)) } } " about " strong { (report.hostname) }
        " of the workspace " strong { bdi { (shown(&report.workspace_name)) } }
    }
}

fn ended(report: &MailedReport) -> HttpResponse {
    let content = html! {
        section.card { p { (about(report)) " is no longer sent to you, and its workspace cannot ask you again for " (REFUSED_FOR.whole_days()) " days." } }
    };
    Page::new("You get no more of these mails", None).with(&content)
}

fn used() -> HttpResponse {
    let content = html! {
        section.card {
            p { "It was used before, is older than a week, or a newer one took its place." }
            p { "If you said yes already, there is nothing more to do. If not, ask whoever wanted to send you the report to ask you again." }
        }
    };
    Page::new("This link can’t be used", None)
        .status(StatusCode::GONE)
        .with(&content)
}

fn token(link: &str) -> Result<Uuid, Refusal> {
    Uuid::try_parse(link).map_err(|_| Refusal::NoOpenPage)
}
