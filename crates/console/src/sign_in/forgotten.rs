//! A password that somebody forgot: a link is mailed to who has the address.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header},
    web,
};
use maud::html;
use pharos_account::admin::users::check_email;
use pharos_auth::sign_in::{desk::SignInError, session::LINK_LIFETIME};
use pharos_http::source::source_of;

use crate::{
    console::Console,
    form::Form,
    page::{Page, go, wait},
    parts::{
        form::{Faults, Field},
        notice,
    },
    refusal::{Refusal, change_fault},
    visit::Visitor,
};

/// The path of the page.
pub(super) const PATH: &str = "/console/forgotten";

/// GET /console/forgotten
pub(crate) async fn show(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    if console.parts.link_mailer.is_none() {
        return Err(Refusal::NoPage);
    }
    if request.query_string() == "sent" {
        return Ok(sent());
    }
    let visitor = console.visitor(&request)?;
    Ok(page(&console, &visitor, "", &Faults::default(), StatusCode::OK))
}

/// POST /console/forgotten
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    if console.parts.link_mailer.is_none() {
        return Err(Refusal::NoPage);
    }
    let visitor = console.visitor(&request)?;
    visitor.check(&form, &console)?;
    let mut faults = Faults::default();
    let typed = form.one("email");
    let email = match check_email(typed) {
        Ok(email) => email,
        Err(error) => {
            faults.add("email", change_fault(error)?);
            return Ok(page(&console, &visitor, typed, &faults, StatusCode::BAD_REQUEST));
        }
    };
    let source = source_of(&request, console.parts.hops);
    match console.parts.desk.forgot(&email, source).await {
        Ok(()) => Ok(go(&format!("{PATH}?sent"))),
        Err(SignInError::TooOften { retry_after_seconds }) => {
            let why = format!(
                "A link was asked for too often, from where you are or for this address. Try again in {}.",
                wait(retry_after_seconds)
            );
            faults.add("email", why);
            let status = StatusCode::TOO_MANY_REQUESTS;
            let mut page = page(&console, &visitor, typed, &faults, status);
            page.headers_mut().insert(
                header::RETRY_AFTER,
                header::HeaderValue::from(retry_after_seconds),
            );
            Ok(page)
        }
        Err(error) => Err(error.into()),
    }
}

fn page(
    console: &Console,
    visitor: &Visitor,
    typed: &str,
    faults: &Faults,
    status: StatusCode,
) -> HttpResponse {
    let content = html! {
        (faults.summary())
        form.card method="post" action=(PATH) {
            (visitor.token_field())
            (Field::new("email", "E-mail address", typed).kind("email").autocomplete("username").max(254).faults(faults).line())
            div.actions {
                button type="submit" { "Mail me a link" }
                a.button.quiet href="/console/sign-in" { "Back" }
            }
        }
        p.note { "By the link you set a password. Until you do, the one that you have stays as it is." }
    };
    visitor.keep(
        console,
        Page::new("Set a new password", None)
            .status(status)
            .with(&content),
    )
}

/// The same whether somebody has the address or not.
fn sent() -> HttpResponse {
    let content = html! {
        (notice::done("If somebody has this address here, a link is on its way to them."))
        p {
            "It is good once, for " (LINK_LIFETIME.whole_hours()) " hours. If none arrives within some minutes, look among the unwanted "
            "mails, check the address, or ask whoever runs this Pharos."
        }
        div.actions { a.button href="/console/sign-in" { "Go back to sign in" } }
    };
    Page::new("Look at your mails", None).with(&content)
}
