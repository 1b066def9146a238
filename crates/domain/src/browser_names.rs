//! The names of browsers, for people who look at where they have signed in.

/// Tells user agents apart.
pub trait BrowserNames: Send + Sync {
    /// The browser and the system of a user agent, such as `Firefox on Windows`; `None`: it names none that is known.
    fn name(&self, user_agent: &str) -> Option<String>;
}
