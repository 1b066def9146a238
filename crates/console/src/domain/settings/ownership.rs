//! Whether a domain is its workspace's: what to show where, and looking for it.

use maud::{Markup, html};
use pharos_account::verification::{FILE_PATH, Method, OwnershipToken, Proof, record_name};
use pharos_domain::hourly_limit::HourlyLimit;

use super::action;
use crate::{
    console::Console,
    domain::Named,
    enter::AtDomain,
    form::Form,
    parts::{
        copy::copied,
        mark::{self, Tone},
    },
    refusal::{Refusal, change_fault},
};

/// How often an hour one user may have sites and name servers asked.
const CHECKED_PER_HOUR: HourlyLimit = HourlyLimit {
    name: "console-verify-domain",
    per_hour: 60,
};

/// Looks where the form says, and notes what is there; says why nothing is otherwise.
pub(super) async fn submit(
    console: &Console,
    here: &AtDomain,
    sent: &Form,
) -> Result<Result<(), String>, Refusal> {
    let method: Method = sent.one("method").parse().map_err(|_| Refusal::NoForm)?;
    console.admit(&here.user, CHECKED_PER_HOUR).await?;
    let parts = &console.parts;
    let (hostname, token) = (&here.access.domain().hostname, OwnershipToken::of(here.id()));
    let looked = parts.ownership.look(hostname, &token, method, parts.clock.now());
    if let Err(why) = looked.await {
        return Ok(Err(why.to_string()));
    }
    let (actor, now) = (here.user.actor(), parts.clock.now());
    let proof = Proof::Shown(method);
    match parts.domains.verify(here.id(), proof, &actor, now).await {
        Ok(_) => Ok(Ok(())),
        Err(error) => Ok(Err(change_fault(error)?)),
    }
}

pub(super) fn section(here: &AtDomain, domain: &Named, fault: Option<&str>) -> Markup {
    html! {
        section.card id="ownership" aria-labelledby="ownership-head" {
            h2 id="ownership-head" { "Ownership" }
            @if domain.is_verified {
                p { (mark::state(Tone::Good, "Verified")) }
                p { "Its owner has shown that " (domain.hostname) " is theirs. What was shown for it may be taken away again." }
            } @else {
                p { (mark::state(Tone::Calm, "Not verified")) }
                p { "Show in one of these ways that " (domain.hostname) " is yours. Until then Pharos watches it, but no status page shows it and nobody is added to the readers of its reports." }
                @if let Some(fault) = fault { div.fault role="alert" { p { (fault) } } }
                (ways(here))
            }
        }
    }
}

fn ways(here: &AtDomain) -> Markup {
    let (hostname, token) = (&here.access.domain().hostname, OwnershipToken::of(here.id()));
    let file = format!("https://{hostname}{FILE_PATH}");
    html! {
        h3 { "A record of DNS" }
        p { "Add a record of the type TXT." }
        (copied("record-name", "Name", &record_name(hostname)))
        (copied("record-text", "Text", &token.line()))
        (check(here, Method::Dns, "Check the record now"))
        h3 { "A file" }
        p { "Put a file with this text alone at this address." }
        (copied("file-address", "Address of the file", &file))
        (copied("file-text", "Text", &token.line()))
        (check(here, Method::File, "Check the file now"))
        h3 { "A tag" }
        p { "Put this tag into the head of the site’s first page." }
        (copied("tag", "Tag", &token.tag()))
        (check(here, Method::Tag, "Check the tag now"))
    }
}

fn check(here: &AtDomain, method: Method, label: &str) -> Markup {
    html! {
        form method="post" action=(action(here)) {
            (here.user.token_field())
            input type="hidden" name="do" value="verify";
            input type="hidden" name="method" value=(method.as_str());
            div.actions { button.quiet type="submit" { (label) } }
        }
    }
}
