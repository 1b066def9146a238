//! Which boxes of the consent screen are ticked.

use std::collections::BTreeSet;

use pharos_auth::oauth::server::Consent;
use pharos_domain::{
    ids::WorkspaceId,
    scope::{ScopeSet, Tier},
};

use crate::form::Form;

/// The field of a button that ticks all permissions of a tier.
pub(super) const TICK: &str = "tick";
/// The field of a button that unticks them.
pub(super) const UNTICK: &str = "untick";

/// The boxes that are ticked.
pub(super) struct Ticked {
    pub(super) scopes: ScopeSet,
    /// The first is the default.
    pub(super) workspaces: Vec<WorkspaceId>,
}

impl Ticked {
    /// The scopes that only read, among those that are requested, in the oldest workspace. Whatever changes or starts
    /// something is for the user to tick.
    pub(super) fn at_first(consent: &Consent) -> Self {
        let asked = consent.request.scopes;
        let oldest = consent.workspaces.first();
        Self {
            scopes: only(asked, Tier::Read.scopes()),
            workspaces: oldest.map(|oldest| oldest.id).into_iter().collect(),
        }
    }

    /// The boxes that a form was sent with.
    pub(super) fn sent(form: &Form) -> Self {
        let mut seen = BTreeSet::new();
        let workspaces = form.all("workspace").filter_map(|id| id.parse().ok());
        Self {
            scopes: form.all("scope").filter_map(|name| name.parse().ok()).collect(),
            workspaces: workspaces.filter(|id| seen.insert(*id)).collect(),
        }
    }

    /// The same after the button that the form was sent by, and the tier that it is of, if it is one of those.
    pub(super) fn after_button(self, form: &Form) -> (Self, Option<Tier>) {
        if let Ok(tier) = form.one(TICK).parse::<Tier>() {
            let scopes = self.scopes.union(tier.scopes());
            return (Self { scopes, ..self }, Some(tier));
        }
        if let Ok(tier) = form.one(UNTICK).parse::<Tier>() {
            let others = Tier::ALL.iter().filter(|other| **other != tier);
            let others = others.fold(ScopeSet::default(), |set, other| set.union(other.scopes()));
            let scopes = only(self.scopes, others);
            return (Self { scopes, ..self }, Some(tier));
        }
        (self, None)
    }
}

/// Those of `scopes` that are among `among`.
pub(super) fn only(scopes: ScopeSet, among: ScopeSet) -> ScopeSet {
    scopes.iter().filter(|scope| among.contains(*scope)).collect()
}
