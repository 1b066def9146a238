//! A channel that is edited.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::html;
use pharos_alerting::delivery::channel::{Channel, ChannelChange, ChannelEdit};
use time::OffsetDateTime;

use super::{
    PATH, TITLE, faults_of, find,
    settings::{Asked, Filled, asked, named_domain},
    writable,
};
use crate::{
    console::Console,
    form::Form,
    page::{Page, go},
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
    let user = console.user(&request).await?;
    let channel = find(&console, &user, &id).await?;
    let filled = Filled::of(&channel.settings, channel.domain_id);
    page(&console, &user, &channel, channel.updated_at, &filled).await
}

/// POST /console/channels/{id}/edit
pub(crate) async fn submit(
    request: HttpRequest,
    id: web::Path<String>,
    payload: web::Payload,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let form = Form::read(&console, &request, payload).await?;
    let user = console.user(&request).await?;
    user.check(&form, &console)?;
    let channel = find(&console, &user, &id).await?;
    writable(&console, &request, channel.workspace_id).await?;
    let target = &channel.settings.target;
    let nanoseconds: i128 = form.one(SEEN).parse().map_err(|_| Refusal::NoForm)?;
    let seen = OffsetDateTime::from_unix_timestamp_nanos(nanoseconds).map_err(|_| Refusal::NoForm)?;
    let again = async |faults: Faults| {
        let sent = Filled::sent(target.kind(), true, &form, faults);
        page(&console, &user, &channel, seen, &sent).await
    };
    let named = named_domain(&console, channel.workspace_id, &form).await?;
    let Asked { domain_id, settings } = match asked(target.kind(), Some(target), &form, named)? {
        Ok(asked) => asked,
        Err(faults) => return again(faults).await,
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
        Err(error) => again(faults_of(error)?).await,
    }
}

async fn page(
    console: &Console,
    user: &SignedIn,
    channel: &Channel,
    seen: OffsetDateTime,
    filled: &Filled,
) -> Result<HttpResponse, Refusal> {
    let path = format!("/console/channels/{}", channel.id);
    let content = html! {
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
    Ok(Page::new(&title, Some(user.owner()))
        .below(PATH, TITLE)
        .below(&path, shown(&channel.settings.name))
        .status(filled.status())
        .with(&content))
}
