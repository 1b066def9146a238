//! The second step of a sign-in: the code of the second factor.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header},
    web,
};
use maud::html;
use pharos_auth::{secret::Secret, sign_in::desk::SignInError};

use crate::{
    console::Console,
    cookies::Kind,
    form::Form,
    next::{Next, SECOND_FACTOR},
    page::{Page, fault, go, wait},
    parts::form::Field,
    query::in_query,
    refusal::Refusal,
    visit::Visitor,
};

/// GET /console/sign-in/code
pub(crate) async fn show(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    let next = in_query(request.query_string(), "next").and_then(|next| Next::parse(&next));
    let next = next.unwrap_or_default();
    if console.cookies.read(&request, Kind::Pending).is_none() {
        return Ok(go(&next.sign_in()));
    }
    let visitor = console.visitor(&request)?;
    Ok(page(&console, &visitor, &next, StatusCode::OK, None))
}

/// POST /console/sign-in/code
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    let visitor = console.visitor(&request)?;
    visitor.check(&form, &console)?;
    let next = Next::parse(form.one("next")).unwrap_or_default();
    let Some(pending) = console.cookies.read(&request, Kind::Pending) else {
        return Ok(lapsed(&next));
    };
    let origin = console.origin(&request);
    let entered = console
        .parts
        .desk
        .enter_code(&pending, form.one("code"), &origin)
        .await;
    match entered {
        Ok(session) => enter(&console, &request, &session, &next).await,
        Err(SignInError::WrongCode) => {
            let told = "This is no code that can be used now. Take the one that your app shows now, or a recovery code that you have not used yet.";
            Ok(page(&console, &visitor, &next, StatusCode::FORBIDDEN, Some(told)))
        }
        Err(SignInError::Lapsed) => Ok(lapsed(&next)),
        Err(SignInError::TooOften { retry_after_seconds }) => {
            let told = format!(
                "There were too many attempts, from your address or to this account. Try again in {}.",
                wait(retry_after_seconds)
            );
            let status = StatusCode::TOO_MANY_REQUESTS;
            let mut page = page(&console, &visitor, &next, status, Some(&told));
            page.headers_mut().insert(
                header::RETRY_AFTER,
                header::HeaderValue::from(retry_after_seconds),
            );
            Ok(page)
        }
        Err(error) => Err(error.into()),
    }
}

async fn enter(
    console: &Console,
    request: &HttpRequest,
    session: &Secret,
    next: &Next,
) -> Result<HttpResponse, Refusal> {
    if let Some(before) = console.cookies.read(request, Kind::Session) {
        console.parts.desk.sign_out(&before).await?;
    }
    Ok(console.let_in(session, next))
}

/// The password is to be given again.
fn lapsed(next: &Next) -> HttpResponse {
    go(&format!("{}&lapsed", next.sign_in()))
}

fn page(
    console: &Console,
    visitor: &Visitor,
    next: &Next,
    status: StatusCode,
    told: Option<&str>,
) -> HttpResponse {
    let content = html! {
        (fault(told))
        form.card method="post" action=(SECOND_FACTOR) {
            (visitor.token_field())
            input type="hidden" name="next" value=(next.as_str());
            (Field::new("code", "Code", "").autocomplete("one-time-code").max(64)
                .hint("The six digits that your app shows for Pharos now, or one of your recovery codes.").line())
            div.actions {
                button type="submit" { "Sign in" }
                a.button.quiet href=(next.sign_in()) { "Begin again" }
            }
        }
        p.note {
            "Lost both the app and the recovery codes? Whoever runs this Pharos can end the second factor: "
            code { "pharos admin user reset-second-factor" } "."
        }
    };
    let page = Page::new("One more step", None).status(status);
    visitor.keep(console, page.with(&content))
}
