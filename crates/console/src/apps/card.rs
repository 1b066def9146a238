//! An app in the list, and what it was granted.

use maud::{Markup, html};
use pharos_auth::oauth::store::ConnectedApp;

use super::{App, target::Target};
use crate::{consent::words, console::Console, page::moment, shown::shown};

/// More permissions than these are folded up.
const MOST_OPEN: usize = 6;

/// An app with those of its grants that the page has, and the ways to their end.
pub(super) fn app(console: &Console, app: &App<'_>, of_page: &[&ConnectedApp]) -> Markup {
    let end = |target: Target, words: &str| {
        html! {
            div.actions {
                a.button.danger href=(target.path()) { (words) span.aside { " of " (app.name()) } }
            }
        }
    };
    let whole = Target::App(app.client());
    html! {
        section.card aria-labelledby={ "app-" (app.client()) } {
            (heading(app))
            @if let [only] = app.grants.as_slice() {
                (grant(console, only))
                (end(whole, "Revoke access"))
            } @else {
                p { "You agreed " (app.grants.len()) " times, on several devices for example. Each time stands for itself." }
                @for one in of_page {
                    section.grant aria-labelledby={ "grant-" (one.grant) } {
                        (grant(console, one))
                        (end(Target::Grant(one.grant), "Revoke this one"))
                    }
                }
                (end(whole, "Revoke all access"))
            }
        }
    }
}

/// The name that an app gives itself, and whether it is verified.
pub(super) fn heading(app: &App<'_>) -> Markup {
    html! {
        h2 id={ "app-" (app.client()) } { bdi { (app.name()) } " " (words::mark(app.newest.is_verified)) }
    }
}

/// One grant: its permissions, where they hold, and when it was last used.
pub(super) fn grant(console: &Console, grant: &ConnectedApp) -> Markup {
    html! {
        h3 id={ "grant-" (grant.grant) } { "Since " (moment(grant.created_at)) }
        dl {
            dt { "May" }
            dd { (permissions(grant)) }
            dt { "In" }
            dd {
                @if grant.workspaces.is_empty() { "no workspace any more" }
                ul {
                    @for (at, workspace) in grant.workspaces.iter().enumerate() {
                        li { bdi { (shown(workspace)) } @if at == 0 { " (default)" } }
                    }
                }
            }
            dt { "For" }
            dd { (words::resource(console.parts.server.resources(), &grant.resource)) }
            dt { "Last used" }
            dd { @match grant.last_used_at { Some(at) => (moment(at)), None => "never" } }
        }
    }
}

fn permissions(grant: &ConnectedApp) -> Markup {
    let count = grant.scopes.iter().count();
    html! {
        details open[count <= MOST_OPEN] {
            summary {
                (words::deeds(&words::tiers(grant.scopes)))
                " (" (count) @if count == 1 { " permission)" } @else { " permissions)" }
            }
            ul { @for scope in grant.scopes.iter() { li { (scope.meaning()) } } }
        }
    }
}
