//! The user's own account: their password, their second factor, and where they have signed in.

pub(crate) mod second_factor;
mod sessions;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::html;
use pharos_auth::sign_in::{SecondFactor, desk::SignInError, password::Password};
use pharos_http::source::source_of;

use crate::{
    console::Console,
    form::Form,
    page::{Page, go, moment, wait},
    parts::{
        facts::facts,
        form::{Faults, Field},
        notice,
    },
    refusal::Refusal,
    shown::shown,
    visit::SignedIn,
};

/// GET /console/account
pub(crate) async fn show(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    let user = console.user(&request).await?;
    let done = match request.query_string() {
        "password" => Some("The password was changed. You are signed out everywhere but here."),
        "second-factor-off" => Some("The second factor is off. Signing in takes your password alone."),
        "ended" => Some("That session was signed out."),
        _ => None,
    };
    page(&console, &user, done, &Faults::default(), StatusCode::OK).await
}

/// POST /console/account
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    let user = console.user(&request).await?;
    user.check(&form, &console)?;
    match form.one("do") {
        "password" => change_password(&console, &request, &user, &form).await,
        "end" => {
            let session = sessions::parse(form.one("session")).ok_or(Refusal::NoForm)?;
            console
                .parts
                .desk
                .end_of_user(&session, user.session.user)
                .await?;
            Ok(go("/console/account?ended"))
        }
        _ => Err(Refusal::NoForm),
    }
}

async fn change_password(
    console: &Console,
    request: &HttpRequest,
    user: &SignedIn,
    form: &Form,
) -> Result<HttpResponse, Refusal> {
    let mut faults = Faults::default();
    let next = Password::choose(form.one("password"));
    if let Err(why) = next {
        faults.add("password", why);
    }
    if form.one("password") != form.one("again") {
        faults.add("again", "The two passwords are not the same.");
    }
    let (Ok(next), true) = (next, faults.is_empty()) else {
        return page(console, user, None, &faults, StatusCode::BAD_REQUEST).await;
    };
    let source = source_of(request, console.parts.hops);
    let desk = &console.parts.desk;
    let changed = desk
        .change_password(&user.session, &user.secret, form.one("present"), next, source)
        .await;
    let status = match changed {
        Ok(()) => return Ok(go("/console/account?password")),
        Err(SignInError::Wrong) => {
            faults.add("present", "This is not your present password.");
            StatusCode::FORBIDDEN
        }
        Err(SignInError::TooOften { retry_after_seconds }) => {
            let why = format!(
                "There were too many attempts. Try again in {}.",
                wait(retry_after_seconds)
            );
            faults.add("present", why);
            StatusCode::TOO_MANY_REQUESTS
        }
        Err(error) => return Err(error.into()),
    };
    page(console, user, None, &faults, status).await
}

async fn page(
    console: &Console,
    user: &SignedIn,
    done: Option<&str>,
    faults: &Faults,
    status: StatusCode,
) -> Result<HttpResponse, Refusal> {
    let desk = &console.parts.desk;
    let factor = desk.second_factor(user.session.user, &user.secret).await?;
    let listed = desk.sessions(user.session.user).await?;
    let content = html! {
        @if let Some(done) = done { (notice::done(done)) }
        (faults.summary())
        (facts([
            ("Name", Some(html! { bdi { (shown(&user.session.name)) } })),
            ("E-mail address", Some(html! { bdi { (shown(&user.session.email)) } })),
        ]))
        h2 { "Password" }
        form.card method="post" action="/console/account" {
            (user.token_field())
            input type="hidden" name="do" value="password";
            (Field::new("present", "Present password", "").kind("password").autocomplete("current-password").max(256).faults(faults).line())
            (Field::new("password", "New password", "").kind("password").autocomplete("new-password").max(256)
                .hint("12 to 256 characters.").faults(faults).line())
            (Field::new("again", "The same again", "").kind("password").autocomplete("new-password").max(256).faults(faults).line())
            p.note { "Whoever has signed in as you elsewhere is signed out." }
            div.actions { button type="submit" { "Change the password" } }
        }
        h2 { "Second factor" }
        p {
            @match factor {
                SecondFactor::Off => "Signing in takes your password alone. ",
                SecondFactor::Begun(_) => "It is set up, and waits for its first code. ",
                SecondFactor::On { since, .. } => { "On since " (moment(since)) ". " }
            }
            a href=(second_factor::PATH) { "Look after it" }
        }
        h2 { "Where you have signed in" }
        (sessions::table(user, &listed))
    };
    Ok(Page::new("Account", Some(user.owner()))
        .status(status)
        .with(&content))
}
