//! One sentence on what the app will be able to do.

use maud::{Markup, html};
use pharos_auth::oauth::server::Consent;
use pharos_domain::scope::{ScopeSet, Tier};

use super::words;
use crate::shown::shown;

/// The sentence for each choice of tiers that the boxes allow. The stylesheet shows the one that is true of what is
/// ticked, at every moment; where it can't, the first holds whatever is ticked.
pub(super) fn sentences(consent: &Consent) -> Markup {
    let name = words::name(consent.client.metadata.name.as_deref());
    html! {
        div.card.sum id="sum" role="status" {
            p.any { bdi { (name) } " will be able to do what is ticked above, in the workspaces that are ticked, and nothing else." }
            p.nothing hidden { "It will not be able to do anything: tick at least one permission and one workspace, or deny." }
            @for tiers in choices(consent.request.scopes) {
                p class=(class(&tiers)) hidden {
                    bdi { (name) } " will be able to " strong { (words::deeds(&tiers)) } " in " (place(consent)) ", as ticked above"
                    @if let Some(cannot) = cannot(&tiers) { "; it will not be able to " (cannot) }
                    "."
                }
            }
        }
    }
}

/// All ways to choose one tier or more of those that are requested.
fn choices(asked: ScopeSet) -> Vec<Vec<Tier>> {
    let asked = words::tiers(asked);
    (1..1_usize << asked.len())
        .map(|mask| {
            let tiers = asked.iter().enumerate();
            let chosen = tiers.filter(|(at, _)| mask & (1 << at) != 0);
            chosen.map(|(_, tier)| *tier).collect()
        })
        .collect()
}

/// The class by which the stylesheet knows the sentence.
fn class(tiers: &[Tier]) -> String {
    let names: Vec<&str> = tiers.iter().map(|tier| tier.as_str()).collect();
    format!("can-{}", names.join("-"))
}

fn cannot(tiers: &[Tier]) -> Option<String> {
    let others = Tier::ALL.iter().filter(|tier| !tiers.contains(tier));
    let verbs = others.map(|tier| match tier {
        Tier::Read => "read",
        Tier::Configure => "change",
        Tier::Run => "start",
    });
    let verbs: Vec<&str> = verbs.collect();
    (!verbs.is_empty()).then(|| format!("{} anything", words::joined(&verbs, "or")))
}

/// The workspace by name where there is but one, else how many of them: the stylesheet counts.
fn place(consent: &Consent) -> Markup {
    html! {
        @match consent.workspaces.as_slice() {
            [only] => bdi { (shown(&only.name)) },
            several => { span.count {} " of your " (several.len()) " workspaces" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_of_tiers_has_its_words() {
        let all = Tier::ALL
            .iter()
            .fold(ScopeSet::default(), |set, tier| set.union(tier.scopes()));
        let told: Vec<_> = choices(all)
            .iter()
            .map(|tiers| {
                (
                    class(tiers),
                    words::deeds(tiers),
                    cannot(tiers).unwrap_or_default(),
                )
            })
            .collect();
        let expected = [
            ("can-read", "read data", "change or start anything"),
            ("can-configure", "change settings", "read or start anything"),
            (
                "can-read-configure",
                "read data and change settings",
                "start anything",
            ),
            ("can-run", "start work", "read or change anything"),
            ("can-read-run", "read data and start work", "change anything"),
            (
                "can-configure-run",
                "change settings and start work",
                "read anything",
            ),
            (
                "can-read-configure-run",
                "read data, change settings and start work",
                "",
            ),
        ];
        assert_eq!(
            told,
            expected.map(|(class, can, cannot)| (class.into(), can.into(), cannot.into()))
        );
    }

    #[test]
    fn a_tier_that_is_not_asked_for_is_in_no_choice() {
        let choices = choices(Tier::Read.scopes().union(Tier::Run.scopes()));
        assert_eq!(
            choices,
            [vec![Tier::Read], vec![Tier::Run], vec![Tier::Read, Tier::Run]]
        );
        assert!(super::choices(ScopeSet::default()).is_empty());
    }

    /// The stylesheet has to know each of them.
    #[test]
    fn the_stylesheet_shows_every_choice() {
        let style = include_str!("../style.css");
        let all = Tier::ALL
            .iter()
            .fold(ScopeSet::default(), |set, tier| set.union(tier.scopes()));
        for tiers in choices(all) {
            assert!(style.contains(&format!(".{} {{", class(&tiers))), "{tiers:?}");
        }
    }
}
