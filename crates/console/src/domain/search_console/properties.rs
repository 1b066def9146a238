//! The properties of an account, of which one is chosen.

use std::time::Duration;

use maud::{Markup, html};
use pharos_domain::hourly_limit::HourlyLimit;
use pharos_search::{
    google::{
        account::{Account, AccountKind, is_open_to},
        error::GoogleError,
        sites::Site,
    },
    gsc::{
        accounts::{Unlinkable, linkable},
        property::Permission,
    },
};
use tokio::time::timeout;

use super::{
    card::{self, Stand},
    path,
};
use crate::{
    console::Console,
    enter::AtDomain,
    parts::{
        notice,
        table::{Column, Table},
    },
    refusal::Refusal,
    shown::shown,
};

/// How long a page waits for Google.
pub(super) const WITHIN: Duration = Duration::from_secs(15);
/// How many properties of other sites are shown: an account may have 1,000.
const MOST_OTHERS: usize = 50;

/// How often an hour one user may have Google asked.
const ASKED_PER_HOUR: HourlyLimit = HourlyLimit {
    name: "console-search-properties",
    per_hour: 120,
};

/// A property, and what the account may do with it if the domain can be linked to it.
type Judged<'a> = (&'a Site, Result<Permission, Unlinkable>);

/// The properties of an account, as Google told them; or why it did not, for people.
pub(super) type ListedProperties = Result<Vec<Site>, String>;

/// The properties of an account, as Google tells them now.
pub(super) async fn of(
    console: &Console,
    here: &AtDomain,
    account: &Account,
) -> Result<ListedProperties, Refusal> {
    let label = shown(&account.label);
    if !is_open_to(account.given_by, here.user.session.user) {
        return Ok(Err(format!(
            "{label} is another person’s consent, and they alone choose among its properties. Connect an account of your own."
        )));
    }
    console.admit(&here.user, ASKED_PER_HOUR).await?;
    let asked = console
        .parts
        .search
        .google
        .sites(account, console.parts.clock.now());
    let error = match timeout(WITHIN, asked).await {
        Ok(Ok(sites)) => return Ok(Ok(sites)),
        Ok(Err(error)) => error,
        Err(_) => {
            return Ok(Err(
                "Google does not answer at the moment. Try again in a minute.".to_owned(),
            ));
        }
    };
    tracing::info!(%error, account = %account.id, "the properties of an account can't be listed");
    Ok(Err(match (error, account.credentials.kind()) {
        (GoogleError::Unauthorized { .. }, AccountKind::Oauth) => {
            format!("The consent of {label} was revoked or has expired. Connect again.")
        }
        (GoogleError::Unauthorized { .. }, AccountKind::ServiceAccount) => {
            format!(
                "Google does not take the key of {label} any more. Whoever runs this Pharos adds it anew."
            )
        }
        (error, _) if error.may_pass() => {
            "Google does not answer at the moment. Try again in a minute.".to_owned()
        }
        (error, _) => format!("Google does not tell the properties of {label}: {error}."),
    }))
}

/// The choice of a property.
pub(super) fn choice(here: &AtDomain, stand: &Stand, account: &Account, told: &ListedProperties) -> Markup {
    let content = match told {
        Ok(sites) => list(here, stand, account, sites),
        Err(why) => html! { div.fault role="alert" { p { (why) } } },
    };
    html! {
        section id="properties" aria-labelledby="properties-head" {
            h2 id="properties-head" { "Properties of " bdi { (shown(&account.label)) } }
            (content)
        }
    }
}

fn list(here: &AtDomain, stand: &Stand, account: &Account, sites: &[Site]) -> Markup {
    let hostname = &here.access.domain().hostname;
    let judged = sites.iter().map(|site| {
        let linkable = linkable(sites, &account.label, &site.site_url, hostname);
        (site, linkable)
    });
    let (others, own): (Vec<Judged<'_>>, Vec<Judged<'_>>) =
        judged.partition(|(_, linkable)| matches!(linkable, Err(Unlinkable::OtherSite { .. })));
    let hidden = others.len().saturating_sub(MOST_OTHERS);
    let replaced = stand.property.as_ref().filter(|property| {
        let is_another =
            |(site, linkable): &Judged<'_>| linkable.is_ok() && site.site_url != property.site_url;
        own.iter().any(is_another)
    });
    let rows = own.iter().chain(others.iter().take(MOST_OTHERS));
    let columns = [
        Column::text("Property"),
        Column::text("Permission"),
        Column::text("Link"),
    ];
    let table = Table {
        caption: "Properties of the account",
        columns: &columns,
        rows: rows
            .map(|(site, linkable)| row(here, stand, account, site, linkable))
            .collect(),
    };
    let empty = notice::empty(
        "This account has no property in Search Console",
        &html! { p { "Add the site in Search Console, or have an owner of its property add the account, and load this page again." } },
    );
    html! {
        @if own.is_empty() && !others.is_empty() {
            (notice::hint(&html! {
                p { "None of them is a property of " (hostname) " or of what lies below it. Add the site in Search Console, or connect another account." }
            }))
        }
        @if let Some(property) = replaced {
            (notice::hint(&html! {
                p { "Another property counts otherwise: to link it deletes all that was imported of " bdi { (shown(&property.site_url)) } "." }
            }))
        }
        (table.show(&empty))
        @if hidden > 0 { p.note { "And " (hidden) " more of other sites." } }
    }
}

fn row(
    here: &AtDomain,
    stand: &Stand,
    account: &Account,
    site: &Site,
    linkable: &Result<Permission, Unlinkable>,
) -> Vec<Markup> {
    let is_linked = stand
        .property
        .as_ref()
        .is_some_and(|property| property.site_url == site.site_url)
        && stand
            .reader(here.id())
            .is_some_and(|reader| reader.id == account.id);
    let name = shown(&site.site_url);
    vec![
        html! { bdi { (name) } },
        html! { (card::permission(site.permission)) },
        html! {
            @match linkable {
                _ if is_linked => "linked",
                Ok(_) => {
                    form method="post" action=(path(here)) {
                        (here.user.token_field())
                        input type="hidden" name="do" value="link";
                        input type="hidden" name="account" value=(account.id);
                        input type="hidden" name="property" value=(site.site_url);
                        button.quiet type="submit" { "Link" span.aside { " " (name) } }
                    }
                }
                Err(Unlinkable::OtherSite { .. }) => span.note { "of another site" },
                Err(Unlinkable::Unverified { .. } | Unlinkable::Unseen { .. }) => {
                    span.note { "to be verified in Search Console first" }
                }
            }
        },
    ]
}
