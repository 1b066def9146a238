//! How much work the answer to one question may take.

/// How much comparing the answer to one question may take, in octets that are checked against others. A thousand rules of usual
/// lengths, or a full file beside two thousand URLs, take less than half of it; what is written to take long would take hours
/// without an end to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort(pub(super) usize);

impl Default for Effort {
    fn default() -> Self {
        Self(150_000_000)
    }
}

impl Effort {
    /// As much as it takes: for a few questions alone.
    pub(super) const ENDLESS: Self = Self(usize::MAX);

    /// Takes so much of it. Where there is less, none is left.
    pub(super) fn spend(&mut self, octets: usize) -> Result<(), Spent> {
        let left = self.0.checked_sub(octets);
        self.0 = left.unwrap_or(0);
        left.map(|_| ()).ok_or(Spent)
    }
}

/// The effort did not suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent;
