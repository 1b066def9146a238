//! What an app asks for, and the decision.

mod page;
pub(crate) mod words;

use std::collections::BTreeSet;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use pharos_auth::oauth::server::ConsentError;
use pharos_domain::{ids::WorkspaceId, scope::ScopeSet};
use pharos_http::metering::{HourlyAdmission, HourlyLimit, HourlyRequest};

use self::page::Ticked;
use crate::{
    console::{CONSENT_PATH, Console},
    form::Form,
    next::Next,
    page::go,
    refusal::Refusal,
};

/// GET /console/consent
pub(crate) async fn show(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    let mut query = form_urlencoded::parse(request.query_string().as_bytes());
    let handle = query.find(|(name, _)| name == "request");
    let handle = handle.map(|(_, value)| value.into_owned()).unwrap_or_default();
    let Some(user) = console.signed_in(&request).await? else {
        return Ok(go(&sign_in(&handle)));
    };
    admit(&console, &request).await?;
    let consent = console.parts.server.consent(&handle, user.session.user).await?;
    let ticked = Ticked::at_first(&consent);
    Ok(page::show(
        &console,
        &user,
        &handle,
        &consent,
        &ticked,
        StatusCode::OK,
    ))
}

/// POST /console/consent
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    let handle = form.one("request");
    let Some(user) = console.signed_in(&request).await? else {
        return Ok(go(&sign_in(handle)));
    };
    user.check(&form, &console)?;
    admit(&console, &request).await?;
    let server = &console.parts.server;
    if form.one("decision") != "approve" {
        return Ok(go(&server.deny(handle).await?));
    }
    let scopes: ScopeSet = form.all("scope").filter_map(|name| name.parse().ok()).collect();
    let mut seen = BTreeSet::new();
    let workspaces: Vec<WorkspaceId> = form
        .all("workspace")
        .filter_map(|id| id.parse().ok())
        .filter(|id| seen.insert(*id))
        .collect();
    let id = user.session.user;
    match server.approve(handle, id, scopes, workspaces.clone()).await {
        Ok(location) => Ok(go(&location)),
        Err(ConsentError::NothingTicked) => {
            let consent = server.consent(handle, id).await?;
            let ticked = Ticked {
                scopes,
                workspaces,
                is_refused: true,
            };
            let status = StatusCode::BAD_REQUEST;
            Ok(page::show(&console, &user, handle, &consent, &ticked, status))
        }
        Err(error) => Err(error.into()),
    }
}

/// The sign-in page that comes back here.
fn sign_in(handle: &str) -> String {
    let query: String = form_urlencoded::Serializer::new(String::new())
        .append_pair("request", handle)
        .finish();
    Next::parse(&format!("{CONSENT_PATH}?{query}"))
        .unwrap_or_default()
        .sign_in()
}

async fn admit(console: &Console, request: &HttpRequest) -> Result<(), Refusal> {
    let network = console.parts.hops.source(request).network();
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
