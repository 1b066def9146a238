//! One channel: what it delivered, and what may be done with it.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_alerting::delivery::{
    channel::{Channel, ChannelChange, DeliveryDetails, DeliveryState},
    message::Event,
    target::Target,
};
use pharos_domain::audit::Actor;

use super::{fault_of, find, kind, secret, state};
use crate::{
    console::Console,
    form::Form,
    next::Next,
    page::{Page, fault, go, moment},
    refusal::Refusal,
    shown::shown,
    visit::SignedIn,
};

/// How many deliveries are shown.
const SHOWN: u32 = 20;

/// GET /console/channels/{id}
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let Some(user) = console.signed_in(&request).await? else {
        return Ok(go(&Next::default().sign_in()));
    };
    let channel = find(&console, &user, &id).await?;
    let done = match request.query_string() {
        "made" => Some("The channel is there. Send a test to see that it works."),
        "tested" => Some("A test is on its way. Load the page again to see whether it arrived."),
        "changed" => Some("Done."),
        _ => None,
    };
    page(&console, &user, &channel, done, None).await
}

/// POST /console/channels/{id}
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
    let (actor, now) = (Actor::user(user.session.user), console.parts.clock.now());
    let (channels, id) = (&console.parts.channels, channel.id);
    let done = match form.one("do") {
        "test" => channels.test(id, &actor, now).await.map(|_| "tested"),
        "on" => channels
            .change(id, &ChannelChange::SwitchOn, &actor, now)
            .await
            .map(|_| "changed"),
        "off" => {
            let reason = ChannelChange::SwitchOff(format!("{} switched it off", user.session.email));
            channels.change(id, &reason, &actor, now).await.map(|_| "changed")
        }
        "rotate" => match channel.settings.rotated(now) {
            Ok(target) => {
                let changed = channels
                    .change(id, &ChannelChange::Target(target), &actor, now)
                    .await;
                match changed {
                    Ok(changed) => return Ok(with_secret(&user, &changed)),
                    Err(error) => Err(error),
                }
            }
            Err(error) => Err(error),
        },
        "delete" => {
            return match channels.delete(id, &actor, now).await {
                Ok(()) => Ok(go("/console/channels?deleted")),
                Err(error) => {
                    let why = fault_of(error)?;
                    page(&console, &user, &channel, None, Some(&why)).await
                }
            };
        }
        _ => return Err(Refusal::NoForm),
    };
    match done {
        Ok(done) => Ok(go(&format!("/console/channels/{id}?{done}"))),
        Err(error) => {
            let why = fault_of(error)?;
            page(&console, &user, &channel, None, Some(&why)).await
        }
    }
}

fn with_secret(user: &SignedIn, channel: &Channel) -> HttpResponse {
    let content = html! {
        @if let Target::Webhook { secret: value, .. } = &channel.settings.target { (secret(value.reveal())) }
        p { "For a day the secret before signs too." }
        div.actions { a.button href={ "/console/channels/" (channel.id) } { "Go on to the channel" } }
    };
    Page::new("The secret is replaced", Some(user.owner())).with(&content)
}

async fn page(
    console: &Console,
    user: &SignedIn,
    channel: &Channel,
    done: Option<&str>,
    refused: Option<&str>,
) -> Result<HttpResponse, Refusal> {
    let deliveries = console.parts.channels.deliveries(channel.id, SHOWN).await?;
    let settings = &channel.settings;
    let content = html! {
        (fault(refused))
        @if let Some(done) = done { div.done role="status" { p { (done) } } }
        section.card {
            dl {
                dt { "State" }
                dd {
                    (state(channel))
                    @if let Some(reason) = &channel.off_reason { " " (shown(reason)) }
                    @else if let Some(since) = channel.failing_since { " since " (moment(since)) }
                }
                dt { "Leads to" } dd { (kind(settings.target.kind())) " · " bdi { (shown(&settings.target.hint())) } }
                dt { "Delivers" }
                dd {
                    "what is " (settings.min_severity) " or worse"
                    @if !settings.modules.is_empty() {
                        ", about "
                        (settings.modules.iter().map(|module| module.as_str()).collect::<Vec<_>>().join(", "))
                    }
                    @if channel.domain_id.is_some() { ", of one domain" }
                }
                @if let Some(hours) = &settings.quiet_hours { dt { "Quiet hours" } dd { (hours) } }
            }
            form method="post" action={ "/console/channels/" (channel.id) } {
                (user.token_field())
                div.actions {
                    @if channel.off_reason.is_some() {
                        button type="submit" name="do" value="on" { "Switch on" }
                    } @else {
                        button type="submit" name="do" value="test" { "Send a test" }
                        button.quiet type="submit" name="do" value="off" { "Switch off" }
                    }
                    @if matches!(settings.target, Target::Webhook { .. }) {
                        button.quiet type="submit" name="do" value="rotate" { "Replace the secret" }
                    }
                }
            }
            details {
                summary { "Delete this channel" }
                p { "What is on its way to it is dropped, and what was delivered is forgotten." }
                form method="post" action={ "/console/channels/" (channel.id) } {
                    (user.token_field())
                    div.actions { button.danger type="submit" name="do" value="delete" { "Delete" } }
                }
            }
        }
        h2 { "Deliveries" }
        @if deliveries.is_empty() {
            p { "Nothing was delivered yet." }
        } @else {
            ul { @for delivery in &deliveries { li.card { (delivered(delivery)) } } }
        }
        div.actions { a.button.quiet href="/console/channels" { "All channels" } }
    };
    let title = shown(&settings.name);
    let status = if refused.is_some() {
        StatusCode::CONFLICT
    } else {
        StatusCode::OK
    };
    Ok(Page::new(&title, Some(user.owner()))
        .status(status)
        .with(&content))
}

fn delivered(delivery: &DeliveryDetails) -> Markup {
    let said = match delivery.state {
        DeliveryState::Queued if delivery.attempts == 0 => "on its way",
        DeliveryState::Queued => "to be tried again",
        DeliveryState::Sent => "sent",
        DeliveryState::Failed => "given up",
        DeliveryState::Dropped => "dropped",
    };
    html! {
        p {
            strong {
                @if delivery.event == Event::Resolved { "Over: " }
                bdi { (delivery.title.as_deref().map_or_else(|| "A test".to_owned(), shown)) }
            }
            " " span.mark.verified[delivery.state == DeliveryState::Sent] { (said) }
        }
        p.note { (moment(delivery.created_at)) }
        @if let Some(error) = &delivery.last_error { p { "Last attempt: " (shown(error)) } }
    }
}
