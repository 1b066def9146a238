//! The end of a domain: it can be restored for a while.

use maud::{Markup, html};
use pharos_account::admin::domains::RESTORABLE_FOR;

use super::action;
use crate::{
    console::Console,
    enter::AtDomain,
    form::Form,
    parts::danger::Danger,
    refusal::{Refusal, change_fault},
};

/// Deletes the domain, if its name was typed; says what was wrong otherwise.
pub(super) async fn submit(
    console: &Console,
    here: &AtDomain,
    sent: &Form,
) -> Result<Result<(), String>, Refusal> {
    let hostname = here.access.domain().hostname.as_str();
    if !sent.one("confirm").trim().eq_ignore_ascii_case(hostname) {
        return Ok(Err(format!("Nothing was deleted. Type {hostname} to delete it.")));
    }
    let (actor, now) = (here.user.actor(), console.parts.clock.now());
    match console.parts.domains.delete(here.id(), &actor, now).await {
        Ok(_) => Ok(Ok(())),
        Err(error) => Ok(Err(change_fault(error)?)),
    }
}

pub(super) fn form(here: &AtDomain, hostname: &str, fault: Option<&str>) -> Markup {
    let days = RESTORABLE_FOR.whole_days();
    let meaning = format!(
        "Nothing checks it any more, nothing is collected, and its pages and its API answer nothing. For {days} days you can \
         restore it with all its data; after that all of it is erased. Results of reports end at once."
    );
    Danger {
        title: "Delete this domain",
        meaning: &meaning,
        action: &action(here),
        hidden: html! {
            (here.user.token_field())
            input type="hidden" name="do" value="delete";
        },
        button: "Delete the domain",
        typed: Some(hostname),
        fault,
    }
    .show()
}
