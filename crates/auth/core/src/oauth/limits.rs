//! How often one source address may come.

/// How many requests of each kind an hour allows. The defaults are the specification's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OauthLimits {
    /// Registrations.
    pub register: u32,
    /// Authorization requests.
    pub authorize: u32,
    /// Consent screens asked for, and decisions: a completed consent takes two.
    pub consent: u32,
    /// Exchanges and refreshes.
    pub token: u32,
    /// Revocations.
    pub revoke: u32,
}

impl Default for OauthLimits {
    fn default() -> Self {
        Self {
            register: 20,
            authorize: 120,
            consent: 120,
            token: 3_000,
            revoke: 600,
        }
    }
}
