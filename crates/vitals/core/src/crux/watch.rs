//! Field data, as something with a due time: what is requested when, and what the answers lead to.

use std::{error::Error, sync::Arc, time::Duration as StdDuration};

use async_trait::async_trait;
use pharos_domain::{clock::Clock, store::StoreError};
use pharos_due::{
    run::{DueLoop, DuePace},
    slots,
    work::{DueClaim, DueWork},
};
use time::{Date, Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use super::{
    FormFactor,
    client::{CruxClient, CruxError, MOST_PERIODS},
    metrics,
    record::Subject,
    store::{Collected, CruxCollection, DueTarget, Grain, Learned, Learnt},
    target::{OriginSource, own_origin, www_origin},
    upstream::Answered,
};

/// How long a claim holds. Longer than nine requests may take, waiting for their turns included.
const LEASE: Duration = Duration::minutes(30);
/// How many targets are queried at once. The client sets the pace.
const BATCH: usize = 4;
/// How long answers wait for company before they are stored.
const GATHER: StdDuration = StdDuration::from_secs(1);
/// The longest pause between two looks for due targets, and for domains to enrol.
const POLL: StdDuration = StdDuration::from_secs(10);
/// How many domains are enrolled at once.
const ENROL: usize = 256;

/// The time between two answers: the report has a new day every day.
const USUAL: Duration = Duration::DAY;
/// The pause after a first failure; it doubles with each further one in a row.
const RETRY: Duration = Duration::minutes(10);
/// The shortest pause that the API is granted.
const LEAST_BUSY: Duration = Duration::MINUTE;

/// Keeps field data up to date.
#[derive(Clone)]
pub struct CruxWatch {
    /// Where due targets come from, and answers go.
    pub store: Arc<dyn CruxCollection>,
    /// Asks the API.
    pub client: Arc<CruxClient>,
    /// The clock that due times are judged by.
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for CruxWatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CruxWatch")
            .field("client", &self.client)
            .finish_non_exhaustive()
    }
}

impl CruxWatch {
    /// Works until `stop`; then lets running queries end until `abandon`, stores their answers, and gives the rest back.
    pub async fn run(self, stop: CancellationToken, abandon: CancellationToken) {
        self.due().run(stop, abandon).await;
    }

    /// Queries the targets that are due now once, and returns how many they were.
    ///
    /// # Errors
    /// The store failed. Answers and failures of the API are in the store.
    pub async fn round(&self) -> Result<usize, StoreError> {
        self.clone().due().once().await
    }

    fn due(self) -> DueLoop<Self> {
        DueLoop {
            bell: Arc::default(),
            clock: Arc::clone(&self.clock),
            pace: DuePace::in_batches(BATCH, LEASE, GATHER, POLL),
            work: Arc::new(self),
        }
    }

    async fn collect(&self, due: &DueTarget) -> Result<Learned, CruxError> {
        let Some((subject, source, all)) = self.find(due).await? else {
            return Ok(Learned::Absent);
        };
        let url_normalized = all.url_normalized.clone();
        let mut periods = Vec::new();
        learn(&mut periods, FormFactor::All, Grain::Day, all);
        for form_factor in [FormFactor::Mobile, FormFactor::Desktop, FormFactor::Tablet] {
            let answered = self.client.record(&subject, form_factor, self.clock.now()).await;
            if let Some(answered) = understood(due, answered)? {
                learn(&mut periods, form_factor, Grain::Day, answered);
            }
        }
        let newest_day = periods.iter().map(|learnt| learnt.period.end).max();
        if let Some(count) = weeks_to_ask(due.newest_week, newest_day) {
            for form_factor in FormFactor::ALL {
                let now = self.clock.now();
                let answered = self.client.history(&subject, *form_factor, count, now).await;
                if let Some(answered) = understood(due, answered)? {
                    learn(&mut periods, *form_factor, Grain::Week, answered);
                }
            }
        }
        let origin = match subject {
            Subject::Origin(origin) => Some((origin, source)),
            Subject::Url(_) => None,
        };
        Ok(Learned::Figures {
            origin,
            url_normalized,
            periods,
        })
    }

    /// The subject that is in the report, with its record of all devices.
    async fn find(&self, due: &DueTarget) -> Result<Option<(Subject, OriginSource, Answered)>, CruxError> {
        let mut subjects = match &due.url {
            Some(url) => vec![(Subject::Url(url.clone()), OriginSource::Exact)],
            None => vec![(Subject::Origin(own_origin(&due.hostname)), OriginSource::Exact)],
        };
        if due.url.is_none()
            && let Some(www) = www_origin(&due.hostname)
        {
            subjects.push((Subject::Origin(www), OriginSource::WwwFallback));
        }
        for (subject, source) in subjects {
            let now = self.clock.now();
            if let Some(answered) = self.client.record(&subject, FormFactor::All, now).await? {
                let source = match source {
                    OriginSource::Exact if answered.url_normalized.is_some() => OriginSource::Normalized,
                    source => source,
                };
                return Ok(Some((subject, source, answered)));
            }
        }
        Ok(None)
    }
}

/// One of the further answers about a target. One that is not as it is documented is left out, and what the others say is stored.
fn understood(
    due: &DueTarget,
    answered: Result<Option<Answered>, CruxError>,
) -> Result<Option<Answered>, CruxError> {
    match answered {
        Err(CruxError::Malformed(error)) => {
            let target = due.id;
            tracing::warn!(%target, %error, "a part of field data is left out");
            Ok(None)
        }
        answered => answered,
    }
}

fn learn(periods: &mut Vec<Learnt>, form_factor: FormFactor, grain: Grain, answered: Answered) {
    periods.extend(answered.periods.into_iter().map(|(period, figures)| Learnt {
        form_factor,
        grain,
        period,
        figures,
    }));
}

/// How many weekly periods to request: the missing ones, and one more, which may have been corrected. `None`: there is no new
/// one. The history ends on the Saturday before the Monday on which it appears; the daily record is two days old.
fn weeks_to_ask(newest_week: Option<Date>, newest_day: Option<Date>) -> Option<u8> {
    let newest_day = newest_day?;
    let Some(newest_week) = newest_week else {
        return Some(MOST_PERIODS);
    };
    let missing = (newest_day - newest_week).whole_days() / 7;
    let missing = u8::try_from(missing.min(i64::from(MOST_PERIODS))).ok()?;
    (missing > 0).then(|| missing.saturating_add(1).min(MOST_PERIODS))
}

#[async_trait]
impl DueWork for CruxWatch {
    type Item = DueTarget;
    type Outcome = Collected;

    const NAME: &'static str = "field data";

    async fn prepare(&self, _now: OffsetDateTime) -> Result<(), StoreError> {
        self.store.bring_back().await
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueTarget>, StoreError> {
        // A failure does not keep known targets from being queried.
        if let Err(error) = self.store.enrol(claim.now, ENROL).await {
            tracing::warn!(%error, "domains can't be enrolled for field data at the moment");
        }
        self.store.claim(claim).await
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        self.store.next_due(now).await
    }

    fn due_in(&self, due: &DueTarget) -> Duration {
        due.due_in
    }

    fn subject(&self, due: &DueTarget) -> String {
        due.id.to_string()
    }

    async fn perform(&self, due: &DueTarget) -> Option<Collected> {
        let learned = self.collect(due).await;
        if let Err(error) = &learned {
            let (target, reason) = (due.id, reason(error));
            tracing::warn!(%target, reason, "field data could not be asked for; it will be again");
        }
        let settled = settle(due, learned, self.clock.now());
        metrics::collected(settled.learned.status());
        Some(settled)
    }

    async fn settle(&self, collected: &[Collected], _now: OffsetDateTime) -> Result<(), StoreError> {
        self.store.complete(collected).await
    }

    async fn release(&self, claimed: &[&DueTarget]) -> Result<(), StoreError> {
        self.store.release(claimed).await
    }
}

/// The row for an answer, with the time of the next query.
fn settle(due: &DueTarget, learned: Result<Learned, CruxError>, now: OffsetDateTime) -> Collected {
    let (next_collection_at, learned) = match learned {
        // Targets that were enrolled together are queried at times of their own from then on.
        Ok(learned) => (slots::next_after(now, &[due.id.0.as_bytes()], USUAL), learned),
        Err(error) => {
            let failures = due.failures.saturating_add(1);
            let reason = reason(&error);
            (
                now + retry_after(&error, failures),
                Learned::Failure { failures, reason },
            )
        }
    };
    Collected {
        id: due.id,
        domain: due.domain,
        leased_until: due.leased_until,
        asked_at: now,
        next_collection_at,
        learned,
    }
}

/// The pause that the API names, or else one that doubles.
fn retry_after(error: &CruxError, failures: u32) -> Duration {
    if let CruxError::Egress(error) = error
        && let Some(pause) = error.retry_after()
    {
        let pause = Duration::try_from(pause).unwrap_or(USUAL);
        return pause.clamp(LEAST_BUSY, USUAL);
    }
    // Eight doublings are more than a day.
    (RETRY * 2_i32.pow(failures.saturating_sub(1).min(8))).min(USUAL)
}

/// The error with what it comes from.
fn reason(error: &CruxError) -> String {
    let mut reason = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        reason.push_str(": ");
        reason.push_str(&error.to_string());
        source = error.source();
    }
    reason
}

#[cfg(test)]
mod tests {
    use pharos_domain::ids::{CruxUrlId, DomainId};
    use pharos_egress::client::EgressError;
    use time::macros::{date, datetime};

    use super::*;

    /// Saturdays: 2026-03-21 and 2026-03-28.
    #[test]
    fn weeks_are_asked_for_once_a_new_one_can_be_there() {
        let week = date!(2026 - 03 - 21);
        assert_eq!(weeks_to_ask(Some(week), Some(date!(2026 - 03 - 27))), None);
        assert_eq!(weeks_to_ask(Some(week), Some(date!(2026 - 03 - 28))), Some(2));
        assert_eq!(weeks_to_ask(Some(week), Some(date!(2026 - 04 - 12))), Some(4));
        assert_eq!(weeks_to_ask(Some(week), Some(date!(2028 - 03 - 28))), Some(40));
        assert_eq!(weeks_to_ask(None, Some(week)), Some(40));
        assert_eq!(weeks_to_ask(None, None), None);
    }

    #[test]
    fn a_failure_is_tried_again_by_the_apis_own_pause_or_one_that_doubles() {
        const NOW: OffsetDateTime = datetime!(2026-03-31 09:15:00 UTC);
        let due = |failures| DueTarget {
            id: CruxUrlId::generate(),
            domain: DomainId::generate(),
            hostname: "shop.example".parse().unwrap(),
            url: None,
            newest_week: None,
            failures,
            due_in: Duration::ZERO,
            leased_until: NOW + LEASE,
        };
        let pause = |failures, error: EgressError| {
            (settle(&due(failures), Err(error.into()), NOW).next_collection_at - NOW).whole_minutes()
        };
        assert_eq!(
            [0, 1, 2, 20].map(|failures| pause(failures, EgressError::Timeout)),
            [10, 20, 40, 1_440]
        );
        let busy = |seconds| EgressError::RateLimited {
            retry_after: Some(StdDuration::from_secs(seconds)),
        };
        assert_eq!(
            [pause(3, busy(3_600)), pause(3, busy(0)), pause(3, busy(u64::MAX))],
            [60, 1, 1_440]
        );
    }
}
