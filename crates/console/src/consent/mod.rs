//! The consent screen, and the decision that it takes.

mod page;
mod summary;
mod ticked;
pub(crate) mod words;

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};
use pharos_auth::oauth::{client::Client, server::ConsentError};
use pharos_domain::hourly_limit::{HourlyAdmission, HourlyLimit, HourlyRequest};
use pharos_http::source::source_of;

use self::{page::Screen, ticked::Ticked};
use crate::{
    console::{CONSENT_PATH, Console},
    form::Form,
    next::Next,
    page::go,
    query::in_query,
    refusal::Refusal,
};

/// The parameter and the field with the handle of the app's request.
const REQUEST: &str = "request";

/// GET /console/consent
pub(crate) async fn show(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    let handle = in_query(request.query_string(), REQUEST).unwrap_or_default();
    let Some(user) = console.signed_in(&request).await? else {
        return Ok(go(&sign_in(&handle)));
    };
    admit(&console, &request).await?;
    let consent = console.parts.server.consent(&handle, user.session.user).await?;
    let screen = Screen {
        handle: &handle,
        consent: &consent,
        ticked: &Ticked::at_first(&consent),
        is_refused: false,
        focus: None,
    };
    Ok(page::show(&console, &user, &screen))
}

/// POST /console/consent. Only the two decisions decide; any other button shows the screen again.
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    let handle = form.one(REQUEST);
    let Some(user) = console.signed_in(&request).await? else {
        return Ok(go(&sign_in(handle)));
    };
    user.check(&form, &console)?;
    admit(&console, &request).await?;
    let server = &console.parts.server;
    let id = user.session.user;
    let mut ticked = Ticked::sent(&form);
    let (mut is_refused, mut focus) = (false, None);
    match form.one("decision") {
        "deny" => return Ok(go(&server.deny(handle).await?)),
        "approve" => match server
            .approve(handle, id, ticked.scopes, ticked.workspaces.clone())
            .await
        {
            Ok(location) => return Ok(go(&location)),
            Err(ConsentError::NothingTicked) => is_refused = true,
            Err(error) => return Err(error.into()),
        },
        _ => (ticked, focus) = ticked.after_button(&form),
    }
    let screen = Screen {
        handle,
        consent: &server.consent(handle, id).await?,
        ticked: &ticked,
        is_refused,
        focus,
    };
    Ok(page::show(&console, &user, &screen))
}

/// The app that sent a user here who has yet to sign in.
pub(crate) async fn asker(console: &Console, next: &Next) -> Result<Option<Arc<Client>>, Refusal> {
    match next.as_str().split_once('?') {
        Some((CONSENT_PATH, query)) => {
            let handle = in_query(query, REQUEST).unwrap_or_default();
            Ok(console.parts.server.asker(&handle).await?)
        }
        _ => Ok(None),
    }
}

/// The sign-in page that comes back here.
fn sign_in(handle: &str) -> String {
    let query: String = form_urlencoded::Serializer::new(String::new())
        .append_pair(REQUEST, handle)
        .finish();
    Next::parse(&format!("{CONSENT_PATH}?{query}"))
        .unwrap_or_default()
        .sign_in()
}

async fn admit(console: &Console, request: &HttpRequest) -> Result<(), Refusal> {
    let network = source_of(request, console.parts.hops).network();
    let asked = HourlyRequest {
        limit: HourlyLimit {
            name: "oauth-consent",
            per_hour: console.parts.consents_per_hour,
        },
        subject: network.as_bytes(),
        weight: 1,
        now: console.parts.clock.now(),
    };
    match console.parts.limiter.admit_hourly(&asked).await {
        HourlyAdmission::Admitted => Ok(()),
        HourlyAdmission::Refused { retry_after_seconds } => Err(Refusal::TooOften { retry_after_seconds }),
    }
}
