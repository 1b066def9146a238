//! The connection of a domain to Search Console: its state, who reads what, and how far that is.

use maud::{Markup, html};
use pharos_domain::ids::DomainId;
use pharos_search::gsc::{
    accounts::AccountSummary,
    property::{Permission, Property, PropertyStatus, SyncStatus},
};

use super::path;
use crate::{
    console::Console,
    domain::add::CHANGERS,
    enter::AtDomain,
    page::moment,
    parts::{
        facts::facts,
        mark::{self, Tone},
    },
    period::day,
    refusal::Refusal,
    shown::shown,
};

/// How a domain is connected, and the accounts that its workspace has for that.
pub(super) struct Stand {
    pub(super) property: Option<Property>,
    pub(super) accounts: Vec<AccountSummary>,
}

impl Stand {
    pub(super) async fn of(console: &Console, here: &AtDomain) -> Result<Self, Refusal> {
        let search = &console.parts.search;
        let (property, accounts) = tokio::try_join!(
            search.properties.property(&here.access),
            search.accounts.list(here.workspace())
        )?;
        Ok(Self { property, accounts })
    }

    /// The account that reads the property of the domain.
    pub(super) fn reader(&self, domain: DomainId) -> Option<&AccountSummary> {
        self.accounts
            .iter()
            .find(|account| account.domains.contains(&domain))
    }
}

/// The card of a page.
pub(crate) struct Card {
    pub(crate) markup: Markup,
    /// Whether somebody has to do something about it.
    pub(crate) is_urgent: bool,
}

/// The card of the page of search; `None`: no property is linked.
pub(crate) async fn card(console: &Console, here: &AtDomain) -> Result<Option<Card>, Refusal> {
    let stand = Stand::of(console, here).await?;
    let Some(property) = &stand.property else {
        return Ok(None);
    };
    let is_urgent = is_lost(property.status);
    let way = if is_urgent {
        "Connect again"
    } else {
        "Change the connection"
    };
    let manage = html! {
        @if here.role() >= CHANGERS {
            div.actions { a.button.quiet[!is_urgent] href=(path(here)) { (way) } }
        } @else if is_urgent {
            p { "An owner or admin of the workspace connects it again." }
        }
    };
    Ok(Some(Card {
        markup: section(here, &stand, property, &manage),
        is_urgent,
    }))
}

/// The facts of a linked property, and then `more`.
pub(super) fn section(here: &AtDomain, stand: &Stand, property: &Property, more: &Markup) -> Markup {
    html! {
        section.card id="connection" aria-labelledby="connection-head" {
            h2 id="connection-head" { "Connection to Search Console" }
            (state(property.status))
            (facts([
                ("Property", Some(html! { bdi { (shown(&property.site_url)) } span.note { " " (permission(property.permission)) } })),
                ("Account", Some(account(here, stand))),
                ("Last import", Some(last_import(property))),
                ("Final figures up to", Some(html! { @match property.data_through { Some(date) => (day(date)), None => "none yet" } })),
                ("Of the 16 months before the link", Some(html! {
                    @match property.imported_percent() { Some(percent) => { span.figure { (percent) "%" } " imported" } None => "nothing imported yet" }
                })),
            ]))
            @if let Some(why) = &property.last_failure { p { "Not all came in last: " (shown(why)) "." } }
            @if let Some(told) = may_not_inspect(property.permission) { p { (told) } }
            (more)
        }
    }
}

fn account(here: &AtDomain, stand: &Stand) -> Markup {
    html! {
        @match stand.reader(here.id()) {
            // It is the address of a person.
            Some(account) if here.role() >= CHANGERS => bdi { (shown(&account.label)) },
            Some(_) => "one at Google",
            None => "none; nothing is imported any more",
        }
    }
}

fn last_import(property: &Property) -> Markup {
    let ended = match property.last_sync_status {
        Some(SyncStatus::Succeeded) => ", complete",
        Some(SyncStatus::Partial) => ", in part",
        Some(SyncStatus::Failed) => ", failed",
        None => "",
    };
    html! {
        @match property.last_sync_at {
            Some(at) => { (moment(at)) span.note { (ended) } }
            None => "none yet",
        }
    }
}

/// Whether nothing comes in until somebody does something.
pub(super) fn is_lost(status: PropertyStatus) -> bool {
    matches!(
        status,
        PropertyStatus::ReauthorizationRequired | PropertyStatus::PermissionLost
    )
}

fn state(status: PropertyStatus) -> Markup {
    let (tone, word, what) = match status {
        PropertyStatus::Connected => (Tone::Good, "Connected", ""),
        PropertyStatus::Pending => (Tone::Calm, "Waiting for an import", "It begins within a minute."),
        PropertyStatus::ReauthorizationRequired => (
            Tone::Bad,
            "To be connected again",
            "The consent of the account was revoked or has expired, or its key was deleted: nothing comes in any more.",
        ),
        PropertyStatus::PermissionLost => (
            Tone::Bad,
            "Permission lost",
            "The account may not read the property any more: an owner of the property adds it again, or another account takes its \
             place.",
        ),
    };
    html! {
        p { (mark::state(tone, word)) }
        @if !what.is_empty() { p { (what) } }
    }
}

/// Why Google may inspect no URL of the property for an account of this permission; `None`: it inspects them.
pub(crate) fn may_not_inspect(permission: Permission) -> Option<&'static str> {
    match permission {
        Permission::Owner | Permission::FullUser => None,
        Permission::RestrictedUser => Some(
            "Google may refuse to inspect URLs: it inspects for owners and full users of a property, and the account has \
             restricted permission. An owner of the property gives it full permission in Search Console, under Settings, \
             Users and permissions.",
        ),
        Permission::UnverifiedUser => Some(
            "No URL is inspected: the account has not proved that the site is its own, and Google tells it nothing. An owner \
             of the property gives it full permission in Search Console, under Settings, Users and permissions.",
        ),
    }
}

/// Says for people what an account may do with a property.
pub(super) fn permission(permission: Permission) -> &'static str {
    match permission {
        Permission::Owner => "as an owner",
        Permission::FullUser => "with full permission",
        Permission::RestrictedUser => "with restricted permission",
        Permission::UnverifiedUser => "not verified",
    }
}
