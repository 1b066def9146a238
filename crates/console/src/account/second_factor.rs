//! The second factor of the user: setting it up, recovery codes, switching it off.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_auth::sign_in::{SecondFactor, desk::SignInError, recovery_code::RecoveryCode, totp::TotpSecret};

use crate::{
    console::Console,
    form::Form,
    page::{Page, go, moment, wait},
    parts::{
        copy::copied,
        facts::facts,
        form::{Faults, Field},
        notice,
        qr::qr,
    },
    refusal::Refusal,
    repeated,
    visit::SignedIn,
};

/// The path of the page.
pub(super) const PATH: &str = "/console/account/second-factor";
/// With fewer recovery codes than these the page says that others should be made.
const FEW_CODES: u32 = 3;

/// GET /console/account/second-factor
pub(crate) async fn show(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    let user = console.user(&request).await?;
    page(&console, &user, &Faults::default(), StatusCode::OK).await
}

/// POST /console/account/second-factor
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    let user = console.user(&request).await?;
    user.check(&form, &console)?;
    let (digest, parts) = (form.digest(&request, &user.secret), console.clone());
    let work = async move { change(&parts, &user, &form).await };
    console.repeated.answer(digest, work).await
}

async fn change(console: &Console, user: &SignedIn, form: &Form) -> Result<HttpResponse, Refusal> {
    let desk = &console.parts.desk;
    let (session, source) = (&user.session, user.source());
    let (present, code) = (form.one("present"), form.one("code"));
    let done = match form.one("do") {
        "begin" => desk
            .begin_second_factor(session, &user.secret, present, source)
            .await
            .map(|()| go(PATH)),
        "confirm" => desk
            .confirm_second_factor(session, &user.secret, code, source)
            .await
            .map(|codes| once(user, &codes, "The second factor is on")),
        "codes" => desk
            .new_recovery_codes(session, present, code, source)
            .await
            .map(|codes| once(user, &codes, "New recovery codes")),
        "off" => desk
            .turn_off_second_factor(session, present, code, source)
            .await
            .map(|()| go("/console/account?second-factor-off")),
        _ => return Err(Refusal::NoForm),
    };
    let mut faults = Faults::default();
    let status = match done {
        Ok(response) => return Ok(response),
        Err(SignInError::Wrong) => {
            faults.add("present", "This is not your present password.");
            StatusCode::FORBIDDEN
        }
        Err(SignInError::WrongCode) => {
            faults.add(
                "code",
                "This is no code that can be used now. Each is taken once: wait for the next, and check that your phone’s clock is right.",
            );
            StatusCode::FORBIDDEN
        }
        // It was confirmed in another tab, begun too long ago, or in another session: the page says how it stands.
        Err(SignInError::Lapsed) => return Ok(go(PATH)),
        Err(SignInError::TooOften { retry_after_seconds }) => {
            let why = format!(
                "There were too many attempts. Try again in {}.",
                wait(retry_after_seconds)
            );
            let field = if form.one("do") == "confirm" {
                "code"
            } else {
                "present"
            };
            faults.add(field, why);
            StatusCode::TOO_MANY_REQUESTS
        }
        Err(error) => return Err(error.into()),
    };
    page(console, user, &faults, status).await
}

fn frame<'a>(user: &'a SignedIn, title: &'a str) -> Page<'a> {
    Page::new(title, Some(user.owner())).below("/console/account", "Account")
}

async fn page(
    console: &Console,
    user: &SignedIn,
    faults: &Faults,
    status: StatusCode,
) -> Result<HttpResponse, Refusal> {
    let desk = &console.parts.desk;
    let content = match desk.second_factor(user.session.user, &user.secret).await? {
        SecondFactor::Off => off(user, faults),
        SecondFactor::Begun(secret) => begun(user, &secret, faults),
        SecondFactor::On { since, codes_left } => html! {
            (faults.summary())
            @if codes_left < FEW_CODES {
                (notice::hint(&html! { p { "Few recovery codes are left. Make new ones, so that you are not locked out if you lose your phone." } }))
            }
            (facts([
                ("On since", Some(moment(since))),
                ("Recovery codes left", Some(html! { (codes_left) })),
            ]))
            (change_form(user, faults))
        },
    };
    Ok(frame(user, "Second factor").status(status).with(&content))
}

fn off(user: &SignedIn, faults: &Faults) -> Markup {
    html! {
        (faults.summary())
        p {
            "With a second factor, signing in takes a code from an app on your phone too, such as Aegis, Google Authenticator or a "
            "password manager. Who has your password alone does not get in."
        }
        form.card method="post" action=(PATH) {
            (user.token_field())
            input type="hidden" name="do" value="begin";
            (present(faults))
            div.actions { button type="submit" { "Set it up" } }
        }
    }
}

fn begun(user: &SignedIn, secret: &TotpSecret, faults: &Faults) -> Markup {
    let text = grouped(&secret.text());
    let drawn = secret
        .address(&user.session.email)
        .and_then(|address| qr(&address, "A QR code with the secret that stands below as text"));
    html! {
        (faults.summary())
        p { "Scan this with the app, or type the secret into it. Then send the code that it shows." }
        @if let Some(drawn) = drawn { (drawn) }
        (copied("secret", "Secret", &text))
        form.card method="post" action=(PATH) {
            (user.token_field())
            (repeated::field())
            input type="hidden" name="do" value="confirm";
            (Field::new("code", "Code", "").autocomplete("one-time-code").max(64)
                .hint("The six digits that the app shows now.").faults(faults).line())
            p.note { "Whoever has signed in as you elsewhere is signed out." }
            div.actions {
                button type="submit" { "Switch it on" }
                a.button.quiet href="/console/account" { "Not now" }
            }
        }
    }
}

fn change_form(user: &SignedIn, faults: &Faults) -> Markup {
    html! {
        form.card method="post" action=(PATH) {
            (user.token_field())
            (repeated::field())
            p { "Either takes your password and a code." }
            (present(faults))
            (Field::new("code", "Code", "").autocomplete("one-time-code").max(64)
                .hint("The six digits that the app shows now, or a recovery code.").faults(faults).line())
            div.actions {
                button type="submit" name="do" value="codes" { "Make new recovery codes" }
                button.danger type="submit" name="do" value="off" { "Switch it off" }
            }
            p.note { "New recovery codes take the place of all others. To move to another phone, switch it off and set it up anew." }
        }
    }
}

fn present(faults: &Faults) -> Markup {
    Field::new("present", "Present password", "")
        .kind("password")
        .autocomplete("current-password")
        .max(256)
        .faults(faults)
        .line()
}

/// The recovery codes, the one time that they are shown.
fn once(user: &SignedIn, codes: &[RecoveryCode], title: &str) -> HttpResponse {
    let lines: Vec<String> = codes.iter().map(RecoveryCode::reveal).collect();
    let content = html! {
        section.card.sum {
            p {
                "Keep these recovery codes where you keep no phone, such as on paper. Each signs you in once in place of a code. "
                "They are not shown again."
            }
            (copied("codes", "Recovery codes", &lines.join("\n")))
        }
        div.actions { a.button href=(PATH) { "I have kept them" } }
    };
    frame(user, title).with(&content)
}

/// The secret in groups of four, as it is read out and typed.
fn grouped(secret: &str) -> String {
    let characters: Vec<char> = secret.chars().collect();
    let groups: Vec<String> = characters.chunks(4).map(|group| group.iter().collect()).collect();
    groups.join(" ")
}
