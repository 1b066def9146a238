//! The background work of analytics: the rows of reports, and evaluations that take long.

use std::sync::Arc;

use pharos_analytics::{experiments::EvaluationJobs, reports::AnalyticsReports};
use pharos_domain::wide_pull::WidePulls;

use super::work::{Work, WorkContext};

/// The work of a node for analytics.
///
/// # Errors
/// A port is missing.
pub(super) fn work(context: &WorkContext<'_>) -> anyhow::Result<Work> {
    let mut work = Work::default();
    work.handlers.push(Arc::new(WidePulls::<AnalyticsReports> {
        store: context.ports.get()?,
    }));
    work.handlers.push(Arc::new(EvaluationJobs {
        store: context.ports.get()?,
        updates: context.ports.get()?,
        addresses: context.ports.get()?,
        speed: context.ports.get()?,
        searches: context.ports.get()?,
        clock: Arc::clone(context.clock),
    }));
    Ok(work)
}
