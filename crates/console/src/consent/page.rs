//! The consent screen.

use actix_web::{HttpResponse, http::StatusCode};
use maud::{Markup, html};
use pharos_auth::oauth::{redirect_uri::RedirectUri, server::Consent};
use pharos_domain::{
    ids::WorkspaceId,
    scope::{Scope, ScopeSet, Tier},
};
use url::{Host, Url};

use super::words;
use crate::{
    console::{CONSENT_PATH, Console},
    page::{Page, fault},
    shown::shown,
    visit::SignedIn,
};

/// Which boxes are ticked.
pub(super) struct Ticked {
    pub(super) scopes: ScopeSet,
    pub(super) workspaces: Vec<WorkspaceId>,
    /// Whether that was sent, and not enough.
    pub(super) is_refused: bool,
}

impl Ticked {
    /// All that is asked for, in the oldest workspace.
    pub(super) fn at_first(consent: &Consent) -> Self {
        Self {
            scopes: consent.request.scopes,
            workspaces: consent
                .workspaces
                .first()
                .map(|first| first.id)
                .into_iter()
                .collect(),
            is_refused: false,
        }
    }
}

pub(super) fn show(
    console: &Console,
    user: &SignedIn,
    handle: &str,
    consent: &Consent,
    ticked: &Ticked,
    status: StatusCode,
) -> HttpResponse {
    let told = ticked.is_refused.then_some(
        "Nothing was allowed yet. Tick at least one permission, and at least one workspace of yours.",
    );
    let can_approve = !consent.workspaces.is_empty();
    let content = html! {
        (fault(told))
        (app(console, user, consent))
        form method="post" action=(CONSENT_PATH) {
            (user.token_field())
            input type="hidden" name="request" value=(handle);
            @if can_approve {
                (permissions(consent.request.scopes, ticked.scopes))
                (workspaces(consent, &ticked.workspaces))
                p.note { "You can take this back at any time under " a href="/console/apps" { "Connected apps" } "." }
            } @else {
                div.fault role="alert" {
                    p { "You are in no workspace, so there is nothing that you could give access to. Ask an owner of a workspace to add you, and begin anew in the app." }
                }
            }
            div.actions {
                button.quiet type="submit" name="decision" value="deny" { "Deny" }
                @if can_approve { button type="submit" name="decision" value="approve" { "Approve" } }
            }
        }
    };
    let target = form_target(&consent.redirect_uri);
    Page {
        status,
        title: "Give an app access?",
        user: Some(user),
        leads_to: Some(&target),
    }
    .with(&content)
}

fn app(console: &Console, user: &SignedIn, consent: &Consent) -> Markup {
    let client = &consent.client;
    html! {
        section.card aria-labelledby="app" {
            h2 id="app" { bdi { (words::name(client.metadata.name.as_deref())) } " " (words::mark(client.is_verified)) }
            p { "asks to use Pharos as you, " strong { (user.session.email) } "." }
            p { (words::meaning_of_mark(client.is_verified)) }
            dl {
                dt { "Sends you back to" }
                dd { code { (shown(consent.redirect_uri.as_str())) } }
                dt { "Is for" }
                dd { (words::resource(console.parts.server.resources(), &consent.request.resource)) }
            }
        }
    }
}

fn permissions(asked: ScopeSet, ticked: ScopeSet) -> Markup {
    let of_tier = |tier: Tier| -> Vec<Scope> {
        let scopes = tier.scopes();
        asked.iter().filter(|scope| scopes.contains(*scope)).collect()
    };
    html! {
        h2 { "What it may do" }
        p { "Untick what you do not want. Your roles bound it in any case." }
        @for tier in Tier::ALL.iter().copied() {
            @let scopes = of_tier(tier);
            @if !scopes.is_empty() {
                @let (name, meaning) = words::tier(tier);
                fieldset aria-describedby={ "tier-" (tier) } {
                    legend { (name) }
                    p.hint id={ "tier-" (tier) } { (meaning) }
                    @for scope in scopes {
                        div.box {
                            input type="checkbox" id=(scope) name="scope" value=(scope) checked[ticked.contains(scope)];
                            label for=(scope) { (scope.meaning()) }
                        }
                    }
                }
            }
        }
    }
}

fn workspaces(consent: &Consent, ticked: &[WorkspaceId]) -> Markup {
    let of_default = consent
        .workspaces
        .iter()
        .position(|workspace| ticked.contains(&workspace.id));
    let of_default = of_default.unwrap_or(0);
    html! {
        h2 { "Where" }
        fieldset aria-describedby="default" {
            legend { "Workspaces" }
            p.hint id="default" { "The first that is ticked is the default: it pays for calls that name no workspace." }
            @for (at, workspace) in consent.workspaces.iter().enumerate() {
                div.box {
                    input type="checkbox" id={ "workspace-" (workspace.id) } name="workspace" value=(workspace.id)
                        checked[ticked.contains(&workspace.id)];
                    label for={ "workspace-" (workspace.id) } {
                        bdi { (shown(&workspace.name)) } " " span.role { "you are " (workspace.role) @if at == of_default { " · default" } }
                    }
                }
            }
        }
    }
}

/// The origin of the redirect URI as a Content-Security-Policy can name it. Of addresses it names 127.0.0.1 alone (CSP
/// 3, section 6.7.2.8), and of names those without its own separators; for others the scheme has to do.
fn form_target(redirect_uri: &RedirectUri) -> String {
    let url = Url::parse(redirect_uri.as_str()).ok();
    match url.as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) if name.bytes().all(is_plain) => redirect_uri.origin(),
        Some(Host::Ipv4(address)) if address.octets() == [127, 0, 0, 1] => redirect_uri.origin(),
        _ => url.map_or_else(String::new, |url| format!("{}:", url.scheme())),
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_may_lead_to_the_redirect_uri_and_no_further() {
        for (uri, target) in [
            ("https://app.example/cb?x=1", "https://app.example"),
            ("https://app.example:8443/cb", "https://app.example:8443"),
            ("http://localhost:1234/cb", "http://localhost:1234"),
            ("http://127.0.0.1:1234/cb", "http://127.0.0.1:1234"),
            ("http://[::1]:1234/cb", "http:"),
            ("https://192.0.2.1/cb", "https:"),
            ("https://a;sandbox/cb", "https:"),
        ] {
            assert_eq!(form_target(&RedirectUri::parse(uri).unwrap()), target, "{uri}");
        }
    }
}
