//! The link by which a user sets a password.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::html;
use pharos_auth::sign_in::password::Password;

use crate::{
    console::{Console, WELCOME_PATH},
    form::Form,
    next::Next,
    page::{Page, fault},
    refusal::Refusal,
    visit::Visitor,
};

/// GET /console/welcome/{token}
pub(crate) async fn show(
    request: HttpRequest,
    link: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let email = console.parts.desk.link(&link).await?;
    Ok(page(&console, &console.visitor(&request)?, &link, &email, None))
}

/// POST /console/welcome/{token}
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    link: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    let visitor = console.visitor(&request)?;
    visitor.check(&form, &console)?;
    let desk = &console.parts.desk;
    let email = desk.link(&link).await?;
    let chosen = Password::choose(form.one("password")).and_then(|password| {
        if form.one("password") == form.one("again") {
            Ok(password)
        } else {
            Err("The two passwords differ. Type the same one twice.")
        }
    });
    match chosen {
        Ok(password) => {
            let origin = console.origin(&request);
            let entry = desk.set_password(&link, password, &origin).await?;
            Ok(console.enter(&entry, &Next::default()))
        }
        Err(told) => Ok(page(&console, &visitor, &link, &email, Some(told))),
    }
}

fn page(console: &Console, visitor: &Visitor, link: &str, email: &str, told: Option<&str>) -> HttpResponse {
    let content = html! {
        (fault(told))
        form.card method="post" action={ (WELCOME_PATH) "/" (link) } {
            (visitor.token_field())
            div.field {
                label for="email" { "E-mail address" }
                input id="email" type="email" autocomplete="username" readonly value=(email);
            }
            div.field {
                label for="password" { "New password" }
                input id="password" name="password" type="password" autocomplete="new-password" minlength="12"
                    required aria-describedby="rule";
                p.hint id="rule" { "12 to 256 characters of any kind. A sentence that you can remember is good." }
            }
            div.field {
                label for="again" { "The same again" }
                input id="again" name="again" type="password" autocomplete="new-password" required;
            }
            div.actions { button type="submit" { "Set password and sign in" } }
        }
        p.note { "Setting it ends every session that you have elsewhere. Apps that you connected stay connected." }
    };
    let status = if told.is_some() {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    visitor.keep(
        console,
        Page::new("Set your password", None).status(status).with(&content),
    )
}
