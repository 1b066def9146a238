//! Plain words for apps, tiers and scopes.

use maud::{Markup, html};
use pharos_auth::oauth::resource::Resources;
use pharos_domain::scope::{ScopeSet, Tier};

use crate::shown::shown;

/// The name of an app, as it is shown.
pub(crate) fn name(name: Option<&str>) -> String {
    name.map_or_else(|| "An app without a name".to_owned(), shown)
}

/// Whether an operator has looked into the app.
pub(crate) fn mark(is_verified: bool) -> Markup {
    html! {
        @if is_verified {
            span.mark.verified { "verified" }
        } @else {
            span.mark { "unverified" }
        }
    }
}

/// The meaning of the mark, as advice to the user.
pub(crate) fn meaning_of_mark(is_verified: bool) -> &'static str {
    if is_verified {
        "Whoever runs this Pharos has looked into this app."
    } else {
        "Anybody can register an app under any name, and nobody has checked this one. Go on only if you began this \
         yourself, just now, in an app that you trust."
    }
}

/// The resource that tokens are for.
pub(crate) fn resource(resources: &Resources, resource: &str) -> Markup {
    html! {
        @if resource == resources.mcp { "the MCP server, " }
        @else if resource == resources.api { "the API, " }
        code { (shown(resource)) }
    }
}

/// The tiers that some of these scopes are of.
pub(crate) fn tiers(scopes: ScopeSet) -> Vec<Tier> {
    let is_of = |tier: &Tier| scopes.iter().any(|scope| tier.scopes().contains(scope));
    Tier::ALL.iter().copied().filter(is_of).collect()
}

/// The deeds that permissions of these tiers allow: "read data and change settings".
pub(crate) fn deeds(tiers: &[Tier]) -> String {
    let deeds = tiers.iter().map(|tier| match tier {
        Tier::Read => "read data",
        Tier::Configure => "change settings",
        Tier::Run => "start work",
    });
    joined(&deeds.collect::<Vec<_>>(), "and")
}

/// The words as a sentence lists them: "a, b and c".
pub(crate) fn joined(words: &[&str], last: &str) -> String {
    match words {
        [before @ .., one, other] => {
            let before: String = before.iter().map(|word| format!("{word}, ")).collect();
            format!("{before}{one} {last} {other}")
        }
        _ => words.concat(),
    }
}

/// The name of a tier, and a hint on it.
pub(crate) fn tier(tier: Tier) -> (&'static str, &'static str) {
    match tier {
        Tier::Read => ("Read", "See data. Changes nothing."),
        Tier::Configure => ("Configure", "Change settings. Begins unticked."),
        Tier::Run => (
            "Run",
            "Start work that may cost credits and quota. Begins unticked.",
        ),
    }
}
