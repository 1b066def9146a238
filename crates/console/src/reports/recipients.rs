//! Who gets a report: the list, and the forms that change it.

use maud::{Markup, html};
use pharos_reporting::recipients::{
    bounds::{MAY_CONFIRM_FOR, MOST_RECIPIENTS},
    recipient::{Recipient, RecipientState},
};

use crate::{
    enter::AtDomain,
    page::moment,
    parts::{
        form::{Faults, Field},
        mark::{self, Tone},
        table::{Column, Table},
    },
    period::day,
    repeated,
    shown::shown,
};

/// The field of an address.
pub(super) const ADDRESS: &str = "address";
/// The field that says which recipient is meant.
pub(super) const RECIPIENT: &str = "recipient";

/// The list with its forms, which go to that path.
pub(super) fn section(
    here: &AtDomain,
    path: &str,
    recipients: &[Recipient],
    typed: &str,
    faults: &Faults,
) -> Markup {
    let table = Table {
        caption: "Recipients",
        columns: &[
            Column::text("Address"),
            Column::text("State"),
            Column::text("Asked").spare(),
            Column::text("Change"),
        ],
        rows: recipients
            .iter()
            .map(|recipient| {
                vec![
                    html! { bdi { (shown(recipient.address.as_str())) } },
                    html! {
                        (state(recipient.state))
                        @if let Some(until) = recipient.refuses_until() {
                            p.note { "Can be asked again from " (day(until.date())) " on." }
                        }
                    },
                    moment(recipient.asked_at),
                    change(here, path, recipient),
                ]
            })
            .collect(),
    };
    let none = html! { p { "Nobody gets this report by mail yet." } };
    html! {
        h2 { "Recipients" }
        p { "Each is asked by a mail first, and gets reports once they say yes. They can end that themselves at any time." }
        (table.show(&none))
        @if recipients.len() < usize::try_from(MOST_RECIPIENTS).unwrap_or(usize::MAX) {
            form.card method="post" action=(path) {
                (here.user.token_field())
                (repeated::field())
                (Field::new(ADDRESS, "Add a mail address", typed)
                    .kind("email")
                    .max(254)
                    .hint("They have a week to say yes.")
                    .faults(faults)
                    .line())
                div.actions { button type="submit" name="do" value="add" { "Ask them" } }
            }
        } @else {
            p { "A report has " (MOST_RECIPIENTS) " recipients at most." }
        }
    }
}

fn state(state: RecipientState) -> Markup {
    let (tone, word) = match state {
        RecipientState::Asked => (Tone::Calm, "Asked".to_owned()),
        RecipientState::Lapsed => (
            Tone::Warn,
            format!("No answer in {} days", MAY_CONFIRM_FOR.whole_days()),
        ),
        RecipientState::Confirmed => (Tone::Good, "Gets reports".to_owned()),
        RecipientState::Unsubscribed => (Tone::Calm, "Unsubscribed".to_owned()),
    };
    mark::state(tone, &word)
}

fn change(here: &AtDomain, path: &str, recipient: &Recipient) -> Markup {
    let address = recipient.address.as_str();
    let may_be_asked = matches!(recipient.state, RecipientState::Asked | RecipientState::Lapsed);
    html! {
        form method="post" action=(path) {
            (here.user.token_field())
            (repeated::field())
            input type="hidden" name=(RECIPIENT) value=(recipient.id);
            div.actions {
                @if may_be_asked {
                    button.quiet type="submit" name="do" value="again" aria-label={ "Ask " (address) " again" } { "Ask again" }
                }
                button.quiet type="submit" name="do" value="remove" aria-label={ "Remove " (address) } { "Remove" }
            }
        }
    }
}
