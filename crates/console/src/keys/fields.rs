//! The fields of a new key.

use maud::{Markup, html};
use pharos_auth::keys::manage::KeyRequest;
use pharos_domain::{
    ids::CredentialId,
    scope::{Scope, ScopeSet, Tier},
};
use time::{Date, Month, OffsetDateTime, macros::format_description};

use crate::{
    consent::words,
    enter::InWorkspace,
    form::Form,
    parts::form::{Faults, Field, tick},
    refusal::Refusal,
};

/// A form for a new key, as it was sent.
pub(super) struct Fields {
    /// The id that the key will have: a form that is sent twice makes one key.
    pub(super) id: CredentialId,
    name: String,
    scopes: ScopeSet,
    expires: String,
    allowlist: String,
}

impl Fields {
    /// A form that nobody has filled in: the key reads.
    pub(super) fn new() -> Self {
        Self {
            id: CredentialId::generate(),
            name: String::new(),
            scopes: Tier::Read.scopes(),
            expires: String::new(),
            allowlist: String::new(),
        }
    }

    pub(super) fn sent(form: &Form) -> Result<Self, Refusal> {
        let tiers: Result<Vec<Tier>, _> = form.all("tier").map(str::parse).collect();
        let scopes: Result<ScopeSet, _> = form.all("scope").map(str::parse::<Scope>).collect();
        let tiers = tiers.map_err(|_| Refusal::NoForm)?.into_iter();
        let of_tiers = tiers.map(Tier::scopes).fold(ScopeSet::default(), ScopeSet::union);
        Ok(Self {
            id: form.one("id").parse().map_err(|_| Refusal::NoForm)?,
            name: form.one("name").trim().to_owned(),
            scopes: of_tiers.union(scopes.map_err(|_| Refusal::NoForm)?),
            expires: form.one("expires").trim().to_owned(),
            allowlist: form.one("allowlist").trim().to_owned(),
        })
    }

    /// The key that the form asks for.
    pub(super) fn request(&self, here: &InWorkspace) -> Result<KeyRequest, Faults> {
        let entries: Vec<String> = self
            .allowlist
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|entry| !entry.is_empty())
            .map(str::to_owned)
            .collect();
        Ok(KeyRequest {
            workspace: here.id(),
            creator: here.user.session.user,
            name: self.name.clone(),
            scopes: self.scopes,
            expires_at: self.expires_at()?,
            allowlist: (!entries.is_empty()).then_some(entries),
        })
    }

    fn expires_at(&self) -> Result<Option<OffsetDateTime>, Faults> {
        if self.expires.is_empty() {
            return Ok(None);
        }
        let day = Date::parse(&self.expires, format_description!("[year]-[month]-[day]"));
        let day = day.ok().filter(|day| (2000..=9999).contains(&day.year()));
        day.map(|day| Some(day.midnight().assume_utc())).ok_or_else(|| {
            let mut faults = Faults::default();
            faults.add("expires", "Write the day as in 2027-01-31.");
            faults
        })
    }

    /// The fields with what is wrong with them.
    pub(super) fn show(&self, faults: &Faults, now: OffsetDateTime) -> Markup {
        let example = Date::from_calendar_date(now.year() + 1, Month::January, 31)
            .map(|day| day.to_string())
            .unwrap_or_default();
        html! {
            input type="hidden" name="id" value=(self.id);
            (Field::new("name", "Name", &self.name).max(100).placeholder("Deployments").faults(faults).line())
            fieldset {
                legend { "May" }
                @if let Some(why) = faults.of("tier-read") { p.wrong { (why) } }
                @for tier in Tier::ALL {
                    @let (name, hint) = word(*tier);
                    (tick(&format!("tier-{tier}"), "tier", tier.as_str(), &html! { (name) " " span.note { (hint) } }, self.has(*tier)))
                }
                details {
                    summary { "Single permissions" }
                    @for scope in Scope::ALL {
                        @let of_tier = Tier::ALL.iter().any(|tier| tier.scopes().contains(*scope) && self.has(*tier));
                        (tick(&format!("scope-{scope}"), "scope", scope.as_str(), &html! { code { (scope) } " " (scope.meaning()) },
                            self.scopes.contains(*scope) && !of_tier))
                    }
                }
            }
            (Field::new("expires", "Ends on", &self.expires).kind("date").optional().placeholder(&example)
                .hint("At midnight UTC, as that day begins. Left empty: never.").faults(faults).line())
            (Field::new("allowlist", "May be used from", &self.allowlist).optional().placeholder("203.0.113.0/24")
                .hint("Addresses and ranges, one a line. Left empty: from anywhere.").faults(faults).area(3))
        }
    }

    fn has(&self, tier: Tier) -> bool {
        tier.scopes().iter().all(|scope| self.scopes.contains(scope))
    }
}

/// The name of a tier, and what it allows.
fn word(tier: Tier) -> (&'static str, &'static str) {
    match tier {
        Tier::Read => (words::tier(tier).0, "See data. Changes nothing."),
        Tier::Configure => (words::tier(tier).0, "Change settings."),
        Tier::Run => (words::tier(tier).0, "Start work that may cost credits and quota."),
    }
}
