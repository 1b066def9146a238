//! A channel that is edited.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::html;
use pharos_alerting::delivery::channel::{Channel, ChannelChange, ChannelEdit};
use time::OffsetDateTime;

use super::{
    fault_of, find,
    settings::{Asked, Filled, asked},
    writable,
};
use crate::{
    console::Console,
    form::Form,
    next::Next,
    page::{Page, fault, go},
    parts::form::{Faults, SEEN},
    refusal::Refusal,
    shown::shown,
    visit::SignedIn,
};

/// GET /console/channels/{id}/edit
pub(crate) async fn ask(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let Some(user) = console.signed_in(&request).await? else {
        return Ok(go(&Next::default().sign_in()));
    };
    let channel = find(&console, &user, &id).await?;
    let filled = Filled::of(&channel.settings, channel.domain_id);
    page(&console, &user, &channel, channel.updated_at, &filled, None).await
}

/// POST /console/channels/{id}/edit
pub(crate) async fn submit(
    request: HttpRequest,
    id: web::Path<String>,
    payload: web::Payload,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    let Some(user) = console.signed_in(&request).await? else {
        return Ok(go(&Next::default().sign_in()));
    };
    user.check(&form, &console)?;
    let channel = find(&console, &user, &id).await?;
    writable(&console, &request, channel.workspace_id).await?;
    let target = &channel.settings.target;
    let nanoseconds: i128 = form.one(SEEN).parse().map_err(|_| Refusal::NoForm)?;
    let seen = OffsetDateTime::from_unix_timestamp_nanos(nanoseconds).map_err(|_| Refusal::NoForm)?;
    let again = async |faults: Faults, why: Option<String>| {
        let sent = Filled::sent(target.kind(), true, &form, faults);
        page(&console, &user, &channel, seen, &sent, why.as_deref()).await
    };
    let Asked { domain_id, settings } = match asked(target.kind(), Some(target), &form)? {
        Ok(asked) => asked,
        Err(faults) => return again(faults, None).await,
    };
    let edit = ChannelChange::Edit(ChannelEdit {
        seen,
        domain_id,
        settings,
    });
    let (actor, now) = (user.actor(), console.parts.clock.now());
    match console
        .parts
        .channels
        .change(channel.id, &edit, &actor, now)
        .await
    {
        Ok(changed) => Ok(go(&format!("/console/channels/{}?edited", changed.id))),
        Err(error) => again(Faults::default(), Some(fault_of(error)?)).await,
    }
}

async fn page(
    console: &Console,
    user: &SignedIn,
    channel: &Channel,
    seen: OffsetDateTime,
    filled: &Filled,
    refused: Option<&str>,
) -> Result<HttpResponse, Refusal> {
    let path = format!("/console/channels/{}", channel.id);
    let content = html! {
        (fault(refused))
        form.card method="post" action={ (path) "/edit" } {
            (user.token_field())
            input type="hidden" name=(SEEN) value=(seen.unix_timestamp_nanos());
            (filled.fields(console, channel.workspace_id).await?)
            div.actions {
                a.button.quiet href=(path) { "Back" }
                button type="submit" { "Save" }
            }
        }
    };
    let title = format!("Edit {}", shown(&channel.settings.name));
    let status = if refused.is_some() || filled.is_faulty() {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    Ok(Page::new(&title, Some(user.owner()))
        .status(status)
        .with(&content))
}
