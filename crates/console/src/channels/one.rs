//! One channel: what it delivered, and what may be done with it.

use std::slice;

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        StatusCode,
        header::{self, HeaderValue},
    },
    web,
};
use maud::{Markup, html};
use pharos_alerting::delivery::{
    channel::{Channel, ChannelChange, DeliveryDetails, DeliveryState, SecretChange},
    target::Target,
};
use pharos_domain::{
    audit::Actor,
    hourly_limit::HourlyLimit,
    ids::{DeliveryId, JobId},
    jobs::RetryError,
    severity::Severity,
};
use time::OffsetDateTime;

use super::{PATH, TITLE, about, domains, fault_of, find, on_to, state, writable};
use crate::{
    console::Console,
    form::Form,
    page::{Page, fault, go, moment},
    parts::danger::Danger,
    refusal::Refusal,
    repeated,
    shown::shown,
    visit::SignedIn,
    words,
};

/// How many deliveries are shown.
const SHOWN: u32 = 20;
/// How many tests an hour one user may send.
const TESTED_PER_HOUR: HourlyLimit = HourlyLimit {
    name: "console-test-channel",
    per_hour: 60,
};
/// The field that says which delivery is to be sent again.
const DELIVERY: &str = "delivery";

/// GET /console/channels/{id}
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let user = console.user(&request).await?;
    let channel = find(&console, &user, &id).await?;
    let secret = console.cookies.shown_once(&request).filter(|shown| {
        matches!(&channel.settings.target, Target::Webhook { secret, .. } if secret.reveal() == shown)
    });
    let done = match request.query_string() {
        "made" => Some("The channel is there. Send a test to see that it works."),
        "tested" => Some("A test is on its way. Load the page again to see whether it arrived."),
        "again" => Some("It is sent again. Load the page again to see whether it arrived."),
        "rotated" => Some("The secret is replaced. For a day the one before signs too."),
        "replaced" => Some("The secret is replaced, and no other signs any more."),
        "ended" => Some("The old secret signs no more."),
        "edited" => Some("The channel is changed. Send a test to see that it works."),
        "changed" => Some("Done."),
        _ => None,
    };
    let mut answer = page(&console, &user, &channel, done, secret.as_deref(), None).await?;
    if secret.is_some() {
        let cookie = console.cookies.forget_shown_once(request.path());
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            answer.headers_mut().append(header::SET_COOKIE, cookie);
        }
    }
    Ok(answer)
}

/// POST /console/channels/{id}
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
    let step = form.one("do");
    // Whose subscription has ended may still end what goes out, and a secret that leaked.
    if !matches!(step, "off" | "delete" | "end_previous" | "replace_now") {
        writable(&console, &request, channel.workspace_id).await?;
    }
    let (digest, parts) = (form.digest(&request, &user.secret), console.clone());
    let work = async move { take(&parts, &user, &channel, &form).await };
    console.repeated.answer(digest, work).await
}

/// Takes the step that the form asks for.
async fn take(
    console: &Console,
    user: &SignedIn,
    channel: &Channel,
    form: &Form,
) -> Result<HttpResponse, Refusal> {
    let (actor, now) = (user.actor(), console.parts.clock.now());
    let (channels, id) = (&console.parts.channels, channel.id);
    let done = match form.one("do") {
        "test" => {
            console.admit(user, TESTED_PER_HOUR).await?;
            channels.test(id, &actor, now).await.map(|_| "tested")
        }
        "again" => match again(console, channel, form, &actor, now).await? {
            None => return Ok(go(&format!("/console/channels/{id}?again"))),
            Some(why) => return page(console, user, channel, None, None, Some(why)).await,
        },
        "on" => channels
            .change(id, &ChannelChange::SwitchOn, &actor, now)
            .await
            .map(|_| "changed"),
        "off" => {
            let reason = ChannelChange::SwitchOff(format!("{} switched it off", user.session.email));
            channels.change(id, &reason, &actor, now).await.map(|_| "changed")
        }
        "rotate" => {
            let rotate = ChannelChange::Secret(SecretChange::Replace);
            match channels.change(id, &rotate, &actor, now).await {
                Ok(changed) => return Ok(on_to(console, &changed, "rotated")),
                Err(error) => Err(error),
            }
        }
        "replace_now" => {
            let replace = ChannelChange::Secret(SecretChange::ReplaceNow);
            match channels.change(id, &replace, &actor, now).await {
                Ok(changed) => return Ok(on_to(console, &changed, "replaced")),
                Err(error) => Err(error),
            }
        }
        "end_previous" => {
            let end = ChannelChange::Secret(SecretChange::EndPrevious);
            channels.change(id, &end, &actor, now).await.map(|_| "ended")
        }
        "delete" => {
            return match channels.delete(id, &actor, now).await {
                Ok(()) => Ok(go("/console/channels?deleted")),
                Err(error) => {
                    let why = fault_of(error)?;
                    page(console, user, channel, None, None, Some(&why)).await
                }
            };
        }
        _ => return Err(Refusal::NoForm),
    };
    match done {
        Ok(done) => Ok(go(&format!("/console/channels/{id}?{done}"))),
        Err(error) => {
            let why = fault_of(error)?;
            page(console, user, channel, None, None, Some(&why)).await
        }
    }
}

/// Sends a delivery of the channel again that was given up, or says why not.
async fn again(
    console: &Console,
    channel: &Channel,
    form: &Form,
    actor: &Actor,
    now: OffsetDateTime,
) -> Result<Option<&'static str>, Refusal> {
    let delivery: DeliveryId = form.one(DELIVERY).parse().map_err(|_| Refusal::NoForm)?;
    let shown = console.parts.channels.deliveries(channel.id, SHOWN).await?;
    let is_given_up = shown
        .iter()
        .any(|shown| shown.id == delivery && shown.state == DeliveryState::Failed);
    if !is_given_up {
        return Ok(Some(
            "It is not given up any more, or too many others came after it.",
        ));
    }
    if channel.off_reason.is_some() {
        return Ok(Some("The channel is switched off: switch it on first."));
    }
    match console.parts.jobs.retry(JobId(delivery.0), actor, now).await {
        Ok(_) => Ok(None),
        Err(RetryError::NotDead(_)) => Ok(Some("It is on its way again.")),
        Err(RetryError::NotFound) => Ok(Some("It was given up too long ago to be sent again.")),
        Err(RetryError::Store(error)) => Err(error.into()),
    }
}

async fn page(
    console: &Console,
    user: &SignedIn,
    channel: &Channel,
    done: Option<&str>,
    secret: Option<&str>,
    refused: Option<&str>,
) -> Result<HttpResponse, Refusal> {
    let deliveries = console.parts.channels.deliveries(channel.id, SHOWN).await?;
    let domains = domains(console, slice::from_ref(channel)).await?;
    let settings = &channel.settings;
    let two_sign_until = settings.two_sign_until(console.parts.clock.now());
    let path = format!("/console/channels/{}", channel.id);
    let content = html! {
        (fault(refused))
        @if let Some(done) = done { div.done role="status" { p { (done) } } }
        @if let Some(secret) = secret {
            section.card.sum {
                p { "This secret signs the webhooks. It is shown this once: put it into the receiver now." }
                p { code { (secret) } }
            }
        }
        section.card {
            dl {
                dt { "State" }
                dd {
                    (state(channel))
                    @if let Some(reason) = &channel.off_reason { " " (shown(reason)) }
                    @else if let Some(since) = channel.failing_since { " since " (moment(since)) }
                }
                dt { "Leads to" } dd { (settings.target.kind().spec().name) " · " bdi { (shown(&settings.target.hint())) } }
                dt { "Delivers" }
                dd {
                    "what is " (settings.min_severity)
                    @if settings.min_severity != Severity::Critical { " or worse" }
                    @if !settings.modules.is_empty() {
                        ", about "
                        (settings.modules.iter().map(|of| words::module(*of)).collect::<Vec<_>>().join(", "))
                    }
                    @if let Some(domain) = about(channel, &domains) { ", only of " bdi { (domain) } }
                }
                @if let Some(hours) = &settings.quiet_hours { dt { "Quiet hours" } dd { (hours) } }
                @if let Some(until) = two_sign_until { dt { "Old secret" } dd { "signs too, until " (moment(until)) } }
            }
            form method="post" action=(path) {
                (user.token_field())
                (repeated::field())
                div.actions {
                    @if channel.off_reason.is_some() {
                        button type="submit" name="do" value="on" { "Switch on" }
                    } @else {
                        button type="submit" name="do" value="test" { "Send a test" }
                        button.quiet type="submit" name="do" value="off" { "Switch off" }
                    }
                    @if two_sign_until.is_some() {
                        button.quiet type="submit" name="do" value="end_previous" { "End the old secret now" }
                    } @else if matches!(settings.target, Target::Webhook { .. }) {
                        button.quiet type="submit" name="do" value="rotate" { "Replace the secret" }
                    }
                    a.button.quiet href={ (path) "/edit" } { "Edit" }
                }
            }
            @if matches!(settings.target, Target::Webhook { .. }) {
                (Danger {
                    title: "The secret has leaked",
                    meaning: "A new one takes its place at once, and no other signs any more. Until the receiver has it, the \
                              receiver refuses what arrives, and each delivery is tried again for about a day.",
                    action: &path,
                    hidden: html! {
                        (user.token_field())
                        (repeated::field())
                        input type="hidden" name="do" value="replace_now";
                    },
                    button: "Replace it now",
                    typed: None,
                    fault: None,
                }.show())
            }
            (Danger {
                title: "Delete this channel",
                meaning: "What is on its way to it is dropped, and what was delivered is forgotten.",
                action: &path,
                hidden: html! {
                    (user.token_field())
                    input type="hidden" name="do" value="delete";
                },
                button: "Delete",
                typed: None,
                fault: None,
            }.show())
        }
        h2 { "Deliveries" }
        @if deliveries.is_empty() {
            p { "Nothing was delivered yet." }
        } @else {
            ul { @for delivery in &deliveries { li.card { (delivered(delivery)) @if is_offered(channel, delivery) { (offer(user, channel, delivery)) } } } }
        }
    };
    let title = shown(&settings.name);
    let status = if refused.is_some() {
        StatusCode::CONFLICT
    } else {
        StatusCode::OK
    };
    Ok(Page::new(&title, Some(user.owner()))
        .below(PATH, TITLE)
        .status(status)
        .with(&content))
}

/// Whether it can be sent again.
fn is_offered(channel: &Channel, delivery: &DeliveryDetails) -> bool {
    channel.off_reason.is_none() && delivery.state == DeliveryState::Failed
}

fn offer(user: &SignedIn, channel: &Channel, delivery: &DeliveryDetails) -> Markup {
    html! {
        form method="post" action={ "/console/channels/" (channel.id) } {
            (user.token_field())
            (repeated::field())
            input type="hidden" name=(DELIVERY) value=(delivery.id);
            div.actions { button.quiet type="submit" name="do" value="again" { "Send again" } }
        }
    }
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
                bdi { (delivery.headline().as_deref().map_or_else(|| "A test".to_owned(), shown)) }
            }
            " " span.mark.verified[delivery.state == DeliveryState::Sent] { (said) }
        }
        p.note { (moment(delivery.created_at)) }
        @if let Some(error) = &delivery.last_error { p { "Last attempt: " (shown(error)) } }
    }
}
