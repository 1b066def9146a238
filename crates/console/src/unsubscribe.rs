//! The link by which the reader of alert mails ends them.

use actix_web::{HttpResponse, web};
use maud::html;
use pharos_domain::unsubscribe::MailedChannel;
use uuid::Uuid;

use crate::{console::Console, page::Page, refusal::Refusal, shown::shown};

/// GET /console/unsubscribe/{token}: asks first, since programs that look for viruses follow the links of mails.
pub(crate) async fn ask(
    link: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let token = token(&link)?;
    let found = console.parts.unsubscribe.find(token).await?;
    let channel = found.ok_or(Refusal::NoOpenPage)?;
    if !channel.is_on {
        return Ok(ended(&channel));
    }
    let content = html! {
        section.card {
            p {
                "The channel " strong { bdi { (shown(&channel.channel_name)) } } " of the workspace "
                strong { bdi { (shown(&channel.workspace_name)) } } " sends alerts to you."
            }
            form method="post" action={ "/console/unsubscribe/" (token) } {
                div.actions { button.danger type="submit" { "Send me no more" } }
            }
        }
    };
    Ok(Page::new("Stop these mails?", None).with(&content))
}

/// POST /console/unsubscribe/{token}, also by mail programs themselves (RFC 8058): the token alone says who asks, so the
/// body is not read.
pub(crate) async fn submit(
    link: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let token = token(&link)?;
    let now = console.parts.clock.now();
    let found = console.parts.unsubscribe.end(token, now).await?;
    Ok(ended(&found.ok_or(Refusal::NoOpenPage)?))
}

fn ended(channel: &MailedChannel) -> HttpResponse {
    let content = html! {
        section.card {
            p {
                "The channel " strong { bdi { (shown(&channel.channel_name)) } } " of the workspace "
                strong { bdi { (shown(&channel.workspace_name)) } } " is switched off. The owners and admins of the workspace can switch it on again."
            }
        }
    };
    Page::new("You get no more of these mails", None).with(&content)
}

fn token(link: &str) -> Result<Uuid, Refusal> {
    Uuid::try_parse(link).map_err(|_| Refusal::NoOpenPage)
}
