//! How many sessions take steps one after the other.

use std::{fmt, ops::RangeInclusive, str::FromStr};

use pharos_domain::{window::DateRange, wire_enum};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::{filter::Filters, overview::ratio, page_path::page_path};

/// How many steps a funnel has.
pub const STEPS: RangeInclusive<usize> = 2..=8;

wire_enum! {
    /// The kinds of steps.
    StepKind as "AnalyticsFunnelStepKind" {
        /// A view of a page.
        Page = "page",
        /// An event of the site's own.
        Event = "event",
    }
}

/// A step as a caller names it: `page:/path` or `event:name`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct FunnelStep {
    /// Whether it is a page or an event.
    pub kind: StepKind,
    /// The page's path, or the event's name.
    pub value: String,
}

/// A text that names no step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoStep;

impl fmt::Display for NoStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("neither page:/path nor event:name")
    }
}

impl FromStr for FunnelStep {
    type Err = NoStep;

    fn from_str(text: &str) -> Result<Self, NoStep> {
        let (kind, value) = text.split_once(':').ok_or(NoStep)?;
        let kind: StepKind = kind.parse().map_err(|_| NoStep)?;
        let names_one = match kind {
            StepKind::Page => value.starts_with('/'),
            StepKind::Event => !value.is_empty(),
        };
        let value = match kind {
            StepKind::Page => page_path(value),
            StepKind::Event => value.to_owned(),
        };
        names_one.then_some(Self { kind, value }).ok_or(NoStep)
    }
}

impl TryFrom<String> for FunnelStep {
    type Error = NoStep;

    fn try_from(text: String) -> Result<Self, NoStep> {
        text.parse()
    }
}

impl From<FunnelStep> for String {
    fn from(FunnelStep { kind, value }: FunnelStep) -> Self {
        format!("{kind}:{value}")
    }
}

/// The question for a funnel.
#[derive(Clone, Copy, Debug)]
pub struct FunnelQuery<'a> {
    /// The days that the sessions are of.
    pub window: DateRange,
    /// Which sessions.
    pub filters: &'a Filters,
    /// The steps, in order.
    pub steps: &'a [FunnelStep],
}

/// The sessions that met a step and all before it, each at the first moment at which it could.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reached {
    /// How many.
    pub sessions: u64,
    /// Their distinct visitors of each UTC day, added up.
    pub visitors: u64,
    /// The median of the time since the step before, in milliseconds; `None` of the first step, and where none met it.
    pub median_ms: Option<f64>,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Funnel {
    /// How many reached each step, in order.
    pub steps: Vec<Reached>,
    /// The newest moment of which anything was received; `None`: nothing ever was.
    pub last_at: Option<OffsetDateTime>,
}

impl Funnel {
    /// The share of the sessions at one step that met another after it, in percent; `None` where no session is at it.
    #[must_use]
    pub fn share_pct(&self, from: usize, to: usize) -> Option<f64> {
        let sessions = |place| self.steps.get(place).map(|step: &Reached| step.sessions);
        Some(ratio(sessions(to)?, sessions(from)?)? * 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_told_by_their_kind() {
        let step = |text: &str| text.parse::<FunnelStep>().map(|step| (step.kind, step.value));
        assert_eq!(step("page:/"), Ok((StepKind::Page, "/".to_owned())));
        assert_eq!(step("page:/café"), Ok((StepKind::Page, "/caf%C3%A9".to_owned())));
        assert_eq!(step("event:/café"), Ok((StepKind::Event, "/café".to_owned())));
        assert_eq!(
            step("event:a:b,c"),
            Ok((StepKind::Event, "a:b,c".to_owned())),
            "a name may have colons and commas"
        );
        for text in ["", "page", "page:", "page:shop", "event:", "Event:a", "path:/"] {
            assert_eq!(step(text), Err(NoStep), "{text}");
        }
    }

    #[test]
    fn shares_are_of_the_sessions_at_the_step_before() {
        let reached = |sessions| Reached {
            sessions,
            ..Reached::default()
        };
        let funnel = Funnel {
            steps: [8, 2, 0, 0].map(reached).into(),
            last_at: None,
        };
        assert_eq!(funnel.share_pct(0, 1), Some(25.0));
        assert_eq!(funnel.share_pct(0, 3), Some(0.0));
        assert_eq!(funnel.share_pct(2, 3), None);
        assert_eq!(funnel.share_pct(3, 4), None);
    }
}
