//! Signing in and out.

pub(crate) mod code;
pub(crate) mod forgotten;

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header},
    web,
};
use maud::html;
use pharos_auth::sign_in::desk::{Entry, SignInError};

use crate::{
    consent::{self, words},
    console::Console,
    cookies::Kind,
    form::Form,
    next::Next,
    page::{Page, fault, go, wait},
    query::in_query,
    refusal::Refusal,
    visit::Visitor,
};

/// The form as it was sent, and the message of why it failed.
struct Attempt<'a> {
    next: &'a Next,
    email: &'a str,
    status: StatusCode,
    fault: Option<&'a str>,
}

/// GET /console/sign-in
pub(crate) async fn show(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    let next = in_query(request.query_string(), "next").and_then(|next| Next::parse(&next));
    let next = next.unwrap_or_default();
    if console.signed_in(&request).await?.is_some() {
        return Ok(go(next.as_str()));
    }
    let has_lapsed = in_query(request.query_string(), "lapsed").is_some();
    let attempt = Attempt {
        next: &next,
        email: "",
        status: StatusCode::OK,
        fault: has_lapsed.then_some("The second step took too long, or was tried too often. Sign in again."),
    };
    page(&console, &console.visitor(&request)?, &attempt).await
}

/// POST /console/sign-in
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    let visitor = console.visitor(&request)?;
    visitor.check(&form, &console)?;
    let next = Next::parse(form.one("next")).unwrap_or_default();
    let origin = console.origin(&request);
    let desk = &console.parts.desk;
    let mut attempt = Attempt {
        next: &next,
        email: form.one("email"),
        status: StatusCode::FORBIDDEN,
        fault: Some("E-mail address or password are wrong. Check both, and try again."),
    };
    match desk.sign_in(attempt.email, form.one("password"), &origin).await {
        Ok(entry) => {
            let before = console.cookies.read(&request, Kind::Session);
            if let (Entry::Session(_), Some(before)) = (&entry, before) {
                desk.sign_out(&before).await?;
            }
            Ok(console.enter(&entry, &next))
        }
        Err(SignInError::Wrong) => page(&console, &visitor, &attempt).await,
        Err(SignInError::TooOften { retry_after_seconds }) => {
            let told = format!(
                "There were too many attempts to sign in, from your address or to this account. Try again in {}.",
                wait(retry_after_seconds)
            );
            attempt.status = StatusCode::TOO_MANY_REQUESTS;
            attempt.fault = Some(&told);
            let mut page = page(&console, &visitor, &attempt).await?;
            page.headers_mut().insert(
                header::RETRY_AFTER,
                header::HeaderValue::from(retry_after_seconds),
            );
            Ok(page)
        }
        Err(error) => Err(error.into()),
    }
}

/// POST /console/sign-out
pub(crate) async fn leave(
    request: HttpRequest,
    payload: web::Payload,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    if let Some(user) = console.signed_in(&request).await? {
        user.check(&form, &console)?;
        console.parts.desk.sign_out(&user.secret).await?;
    }
    Ok(console.let_out())
}

async fn page(console: &Console, visitor: &Visitor, attempt: &Attempt<'_>) -> Result<HttpResponse, Refusal> {
    let asker = consent::asker(console, attempt.next).await?;
    let content = html! {
        (fault(attempt.fault))
        @if let Some(client) = asker {
            p {
                strong { bdi { (words::name(client.metadata.name.as_deref())) } } " " (words::mark(client.is_verified))
                " asks to use Pharos as you. Sign in to see what it asks for; signing in allows nothing yet."
            }
        }
        form.card method="post" action="/console/sign-in" {
            (visitor.token_field())
            input type="hidden" name="next" value=(attempt.next.as_str());
            div.field {
                label for="email" { "E-mail address" }
                input id="email" name="email" type="email" autocomplete="username" required value=(attempt.email);
            }
            div.field {
                label for="password" { "Password" }
                input id="password" name="password" type="password" autocomplete="current-password" required;
            }
            div.actions { button type="submit" { "Sign in" } }
        }
        p.note {
            "No password yet, or forgotten? "
            @if console.parts.link_mailer.is_some() {
                a href=(forgotten::PATH) { "Have a link mailed to you" } " to set one."
            } @else {
                "Whoever runs this Pharos gives you a link to set one."
            }
        }
    };
    let page = Page::new("Sign in", None).status(attempt.status);
    Ok(visitor.keep(console, page.with(&content)))
}
