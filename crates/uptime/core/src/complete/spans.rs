//! The spans that a batch adds, lengthens and relabels.

use pharos_domain::time_range::TimeRange;
use time::OffsetDateTime;

use super::{After, Before, Key};
use crate::state::{SpanState, StateSpan};

/// Lengthens the region's last span, or begins a new one. Spans never overlap: where a clock that was ahead has written
/// what is seen only now, the new one counts.
pub(super) fn add_span(before: &mut Before, after: &mut After, key: &Key, span: StateSpan) {
    let span = match before.last_spans.get(key) {
        Some(last) if last.state == span.state && last.touches(&span) => StateSpan {
            started_at: last.started_at,
            ..span
        },
        Some(last) if last.started_at < span.started_at && last.ended_at > span.started_at => {
            let cut = StateSpan {
                ended_at: span.started_at,
                ..last.clone()
            };
            after.spans.insert((key.0, key.1.clone(), cut.started_at), cut);
            span
        }
        Some(last) if last.started_at > span.started_at => {
            after
                .superseded
                .push((key.clone(), TimeRange::new(span.started_at, span.ended_at)));
            span
        }
        _ => span,
    };
    after
        .spans
        .insert((key.0, key.1.clone(), span.started_at), span.clone());
    before.last_spans.insert(key.clone(), span);
}

/// Makes spans that were suspect, or pending, from `since` on downtime.
pub(super) fn confirm(before: &mut Before, after: &mut After, key: &Key, since: OffsetDateTime) {
    let relabel = |span: &mut StateSpan| {
        if matches!(span.state, SpanState::Suspect | SpanState::Pending) && span.started_at >= since {
            span.state = SpanState::Down;
        }
    };
    if let Some(last) = before.last_spans.get_mut(key) {
        relabel(last);
    }
    for ((domain, region, _), span) in &mut after.spans {
        if *domain == key.0 && *region == key.1 {
            relabel(span);
        }
    }
    after.confirmed.push((key.clone(), since));
}
