//! The consent screen.

use actix_web::{HttpResponse, http::StatusCode};
use maud::{Markup, html};
use pharos_auth::oauth::server::Consent;
use pharos_domain::{
    ids::WorkspaceId,
    scope::{ScopeSet, Tier},
};

use super::{
    REQUEST, summary,
    ticked::{TICK, Ticked, UNTICK, only},
    words,
};
use crate::{
    console::{CONSENT_PATH, Console},
    page::{Page, fault},
    shown::shown,
    visit::SignedIn,
};

/// The screen, as it is shown.
pub(super) struct Screen<'a> {
    pub(super) handle: &'a str,
    pub(super) consent: &'a Consent,
    pub(super) ticked: &'a Ticked,
    /// Whether that was sent, and not enough.
    pub(super) is_refused: bool,
    /// The tier whose button was pressed.
    pub(super) focus: Option<Tier>,
}

pub(super) fn show(console: &Console, user: &SignedIn, screen: &Screen<'_>) -> HttpResponse {
    let Screen { consent, ticked, .. } = screen;
    let told = screen.is_refused.then_some(
        "Nothing was allowed yet. Tick at least one permission, and at least one workspace of yours.",
    );
    let can_approve = !consent.workspaces.is_empty();
    let content = html! {
        (fault(told))
        (app(console, user, consent))
        form.consent method="post" action=(CONSENT_PATH) {
            // Enter in a box sends a form by its first button. This one decides nothing.
            button type="submit" hidden {}
            (user.token_field())
            input type="hidden" name=(REQUEST) value=(screen.handle);
            @if can_approve {
                h2 { "What it may do" }
                p { "Tick what you want it to do, and no more. Your roles bound it in any case." }
                @for tier in Tier::ALL {
                    (permissions(*tier, consent.request.scopes, ticked.scopes, screen.focus == Some(*tier)))
                }
                (workspaces(consent, &ticked.workspaces))
                (summary::sentences(consent))
                p.note { "You can take this back at any time under " a href="/console/apps" { "Connected apps" } "." }
            } @else {
                div.fault role="alert" {
                    p { "You are in no workspace, so there is nothing that you could give access to. Ask an owner of a workspace to add you, and begin anew in the app." }
                }
            }
            div.actions {
                button.quiet type="submit" name="decision" value="deny" { "Deny" }
                @if can_approve {
                    button type="submit" name="decision" value="approve" aria-describedby="sum" { "Approve" }
                }
            }
        }
    };
    let status = if screen.is_refused {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    Page::new("Give an app access?", Some(user.owner()))
        .status(status)
        .leading_away()
        .with(&content)
}

fn app(console: &Console, user: &SignedIn, consent: &Consent) -> Markup {
    let client = &consent.client;
    let redirect_uri = &consent.redirect_uri;
    html! {
        section.card aria-labelledby="app" {
            h2 id="app" { bdi { (words::name(client.metadata.name.as_deref())) } " " (words::mark(client.is_verified)) }
            p { "asks to use Pharos as you, " strong { (user.session.email) } "." }
            p { (words::meaning_of_mark(client.is_verified)) }
            dl {
                dt { "Sends you back to" }
                dd {
                    @if let Some(host) = redirect_uri.host() {
                        div { strong.host { (host) } @if redirect_uri.is_loopback() { " on your computer" } }
                    }
                    code { (shown(redirect_uri.as_str())) }
                }
                dt { "Is for" }
                dd { (words::resource(console.parts.server.resources(), &consent.request.resource)) }
            }
        }
    }
}

/// The boxes of the scopes of a tier that the app asks for. The stylesheet hides the button that would change nothing.
fn permissions(tier: Tier, asked: ScopeSet, ticked: ScopeSet, has_focus: bool) -> Markup {
    let (name, meaning) = words::tier(tier);
    let asked = only(asked, tier.scopes());
    html! {
        @if !asked.is_empty() {
            fieldset.tier.(tier) aria-describedby={ "tier-" (tier) } {
                legend { (name) }
                p.hint id={ "tier-" (tier) } { (meaning) }
                @for scope in asked.iter() {
                    div.box {
                        input type="checkbox" id=(scope) name="scope" value=(scope) checked[ticked.contains(scope)];
                        label for=(scope) { (scope.meaning()) }
                    }
                }
                @if asked.iter().count() > 1 {
                    div.all {
                        button.quiet type="submit" name=(TICK) value=(tier) autofocus[has_focus] {
                            "Tick all" span.aside { " under " (name) }
                        }
                        button.quiet type="submit" name=(UNTICK) value=(tier) autofocus[has_focus] {
                            "Untick all" span.aside { " under " (name) }
                        }
                    }
                }
            }
        }
    }
}

/// Where it may be done. The stylesheet shows one mark of the default: at the first that is ticked.
fn workspaces(consent: &Consent, ticked: &[WorkspaceId]) -> Markup {
    html! {
        h2 { "Where" }
        fieldset.workspaces aria-describedby="default" {
            legend { "Workspaces" }
            p.hint id="default" { "The first that is ticked is the default: it pays for calls that name no workspace." }
            @for workspace in &consent.workspaces {
                div.box {
                    input type="checkbox" id={ "workspace-" (workspace.id) } name="workspace" value=(workspace.id)
                        checked[ticked.contains(&workspace.id)];
                    label for={ "workspace-" (workspace.id) } {
                        bdi { (shown(&workspace.name)) } " "
                        span.role { "you are " (workspace.role) span.default hidden { " · default" } }
                    }
                }
            }
        }
    }
}
