//! URLs that Google is asked about: how they are typed, and what it said of one.

use maud::{Markup, html};
use pharos_domain::page_facts::IndexVerdict;
use pharos_reporting::render::labels::word;
use pharos_search::indexing::{coverage::CoverageReason, inspection::Inspection, target::MOST_AT_ONCE};

use crate::{
    parts::{
        form::{Faults, Field},
        mark::{self, Tone},
    },
    shown::shown,
};

/// The field that they are typed into.
pub(super) const URLS: &str = "urls";

/// The field with what was typed, of so many rows.
pub(super) fn field(typed: &str, faults: &Faults, rows: u8) -> Markup {
    Field::new(URLS, "URLs", typed)
        .faults(faults)
        .hint("One a line, 200 at most, all below the property that is connected.")
        .area(rows)
}

/// The URLs that are typed, one a line: one more than may be, so that the rules refuse more.
pub(super) fn lines(typed: &str) -> Vec<String> {
    let lines = typed.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.take(MOST_AT_ONCE + 1).map(str::to_owned).collect()
}

/// Says whether a URL is in the index; `None`: it was not inspected yet.
pub(super) fn state(verdict: Option<IndexVerdict>) -> Markup {
    match verdict {
        None => mark::state(Tone::Calm, "Not inspected yet"),
        Some(IndexVerdict::Pass) => mark::state(Tone::Good, "In the index"),
        Some(IndexVerdict::Fail) => mark::state(Tone::Bad, "Not in the index, by an error"),
        Some(IndexVerdict::Neutral | IndexVerdict::Partial) => mark::state(Tone::Calm, "Not in the index"),
        Some(IndexVerdict::Unknown) => mark::state(Tone::Calm, "Google does not say"),
    }
}

/// Why a URL is in the index, or is not: Google's own sentence where it has none of our names.
pub(super) fn reason(inspection: Option<&Inspection>) -> Markup {
    let told = inspection.and_then(|inspection| match inspection.coverage_reason {
        None | Some(CoverageReason::Other) => inspection.coverage_state.as_deref().map(shown),
        Some(reason) => Some(word(reason.as_str())),
    });
    html! { @match told { Some(told) => bdi { (told) }, None => span.none { "–" } } }
}
