//! The rotation through the monitored URLs: which are inspected when, so that the inspections of a day are spent where they
//! matter.
//!
//! A site is the thing that is due, and each time a round of its URLs is inspected. New URLs are inspected at once, as long as
//! the day's inspections last. Known URLs are inspected again after a pause by how much they matter (`pause_of`), and rounds
//! are spread over the day, so that inspector runs find room at any hour.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::join_all;
use pharos_domain::{
    clock::Clock, kept_answers::KeptAnswers, module::Module, page_facts::PageVisits,
    site_address::SiteAddresses, sitemap_urls::SitemapUrls, store::StoreError,
};
use pharos_due::{
    run::{DueLoop, DuePace},
    slots,
    work::{DueClaim, DueWork},
};
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use super::{
    change::{Change, Compared, changes},
    inspection::Inspection,
    inspector::{InspectError, Inspecting, Inspector},
    metrics,
    quota::{Granted, QuotaDay, ROTATION, Wanted},
    store::schedule::{Attempt, DueSite, IndexingSchedule, InspectionFailure, Pick, Picked, Round},
    target,
};

/// How long a claim holds: longer than a round takes whose every request waits for its end.
const LEASE: Duration = Duration::minutes(15);
/// How many URLs a round has.
pub const ROUND: u32 = 24;
/// How many of them are inspected at once.
const AT_ONCE: usize = 4;
/// How many sites have a round at once.
const SITES: usize = 8;
/// How long rounds wait for company before they are stored.
const GATHER: std::time::Duration = std::time::Duration::from_millis(500);
/// The longest pause between two looks at what is due.
const POLL: std::time::Duration = std::time::Duration::from_secs(10);
/// How many domains are enrolled at once.
const ENROL: usize = 256;

/// The pause between rounds while URLs wait that were never inspected.
const BRISK: Duration = Duration::seconds(5);
/// The shortest pause between rounds while others wait.
const LEAST: Duration = Duration::seconds(15);
/// How long a site rests at most that has nothing due.
const REST: Duration = Duration::HOUR;
/// How long one rests that waits for its first import.
const LOOK: Duration = Duration::MINUTE;
/// The pause after a first failure; it doubles with each further one in a row.
const RETRY: Duration = Duration::minutes(2);
/// The longest pause after a failure.
const LONGEST_RETRY: Duration = Duration::hours(6);

/// How long a page that stays out of the index on purpose is left alone, at least.
const ON_PURPOSE: Duration = Duration::days(7);
/// The pause after a URL's first failure.
const URL_RETRY: Duration = Duration::hours(6);
/// The longest pause of a URL.
const LONGEST_PAUSE: Duration = Duration::days(28);

/// Keeps inspections up to date.
#[derive(Clone)]
pub struct Rotation {
    /// Where due sites come from, and rounds go.
    pub store: Arc<dyn IndexingSchedule>,
    /// Asks the upstream.
    pub inspector: Arc<dyn Inspector>,
    /// The URLs of sitemaps.
    pub sitemaps: Arc<dyn SitemapUrls>,
    /// The pages that are visited.
    pub visits: Arc<dyn PageVisits>,
    /// Where the sites of domains lie.
    pub addresses: Arc<dyn SiteAddresses>,
    /// Answers that rounds outdate.
    pub answers: Arc<dyn KeptAnswers>,
    /// The clock that due times are judged by.
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for Rotation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rotation").finish_non_exhaustive()
    }
}

impl Rotation {
    /// Works until `stop`; then lets what is being inspected end until `abandon`, stores it, and gives the rest back.
    pub async fn run(self, stop: CancellationToken, abandon: CancellationToken) {
        self.due().run(stop, abandon).await;
    }

    /// Makes a round of each site that is due now, and returns how many there were.
    ///
    /// # Errors
    /// The store failed. Answers of the upstream are in the store.
    pub async fn round(&self) -> Result<usize, StoreError> {
        self.clone().due().once().await
    }

    fn due(self) -> DueLoop<Self> {
        DueLoop {
            bell: Arc::default(),
            clock: Arc::clone(&self.clock),
            pace: DuePace::in_batches(SITES, LEASE, GATHER, POLL),
            work: Arc::new(self),
        }
    }

    /// The URLs whose turn it is. Those that do not lie below the property are let go: the upstream refuses them, as it refuses an
    /// account that may not read the property.
    async fn pick(&self, site: &DueSite, now: OffsetDateTime) -> Result<Picked, StoreError> {
        let picked = self.store.pick(site.domain, ROUND, now).await?;
        let is_outside = |pick: &Pick| target::normal(&pick.url, &site.site_url).is_none();
        if !picked.urls.iter().any(is_outside) {
            return Ok(picked);
        }
        self.store.let_go_outside(site, now).await?;
        self.store.pick(site.domain, ROUND, now).await
    }

    async fn make_round(&self, site: &DueSite) -> Result<Round, StoreError> {
        let now = self.clock.now();
        let is_gathered = self.gather(site, now).await?;
        let mut picked = self.pick(site, now).await?;
        let count = |is_daily: bool| {
            let some = picked.urls.iter().filter(|pick| pick.is_daily == is_daily);
            u32::try_from(some.count()).unwrap_or(ROUND)
        };
        let wanted = Wanted {
            daily: count(true),
            others: count(false),
        };
        let mut round = Round {
            domain: site.domain,
            leased_until: site.leased_until,
            began_at: now,
            at: now,
            attempts: Vec::new(),
            unused: None,
            failures: 0,
            failure: None,
            next_round_at: now + REST,
        };
        let rest = if is_gathered { REST } else { LOOK };
        if wanted.total() == 0 {
            let next = picked.next_due_at.unwrap_or(now + rest);
            round.next_round_at = next.clamp(now + LEAST, now + rest);
            return Ok(round);
        }
        let day = QuotaDay::of(now);
        let granted = match self.store.take(site, day, wanted).await? {
            Granted::Some(granted) => granted,
            Granted::Kept => {
                let next = picked.next_daily_at.unwrap_or(now + REST);
                round.next_round_at = next.clamp(now + LEAST, now + REST);
                return Ok(round);
            }
            Granted::DayUsed => {
                round.next_round_at = next_day(site, day);
                return Ok(round);
            }
            Granted::MinuteUsed => {
                round.next_round_at = now + Duration::MINUTE;
                return Ok(round);
            }
        };
        let mut left = granted;
        picked.urls.retain(|pick| {
            let left = if pick.is_daily {
                &mut left.daily
            } else {
                &mut left.others
            };
            let is_granted = *left > 0;
            *left = left.saturating_sub(1);
            is_granted
        });
        let (attempts, stopped) = self.inspect(site, &picked.urls).await;
        let used = u32::try_from(attempts.len()).unwrap_or(u32::MAX);
        let unused = granted.total().saturating_sub(used);
        round.unused = (unused > 0).then(|| (site.site_url.clone(), day, unused));
        round.at = self.clock.now();
        round.attempts = attempts;
        round.next_round_at = match &stopped {
            Some(error) => {
                round.failures = site.failures.saturating_add(1);
                round.failure = Some(error.to_string());
                after_failure(site, error, round.failures, day, round.at)
            }
            None if picked.more_new => round.at + BRISK,
            None if picked.more_due || granted != wanted => round.at + spread(day, round.at),
            None => {
                let next = picked.next_due_at.unwrap_or(round.at + rest);
                next.clamp(round.at + LEAST, round.at + rest)
            }
        };
        Ok(round)
    }

    /// Inspects URLs, some at once. After a failure that is not of one URL alone no other is begun. Where the account is answered
    /// for a URL, another that it is not permitted is none of the property.
    async fn inspect(&self, site: &DueSite, urls: &[Pick]) -> (Vec<Attempt>, Option<InspectError>) {
        let mut attempts = Vec::with_capacity(urls.len());
        let session = match self.inspector.session(site.domain, &site.site_url).await {
            Ok(session) => session,
            Err(error) => return (attempts, Some(error)),
        };
        let mut stopped = None;
        let mut are_answered = false;
        for some in urls.chunks(AT_ONCE) {
            let asked = some.iter().map(|pick| self.ask(&*session, pick));
            let found = join_all(asked).await;
            are_answered |= found.iter().any(|(_, found, _)| found.is_ok());
            for (pick, found, at) in found {
                metrics::inspected(metrics::ROTATION, &found);
                let outcome = match found.map_err(|error| error.beside_answers(are_answered)) {
                    Ok(inspection) => Ok(Box::new(inspection)),
                    Err(error) => {
                        let failure = failure_of(&error, pick.failures);
                        if !failure.is_of_the_url {
                            stopped = Some(error);
                        }
                        Err(failure)
                    }
                };
                attempts.push(Attempt {
                    url: pick.url.clone(),
                    at,
                    outcome,
                });
            }
            if stopped.is_some() {
                break;
            }
        }
        (attempts, stopped)
    }

    async fn ask<'a>(
        &self,
        session: &dyn Inspecting,
        pick: &'a Pick,
    ) -> (&'a Pick, Result<Inspection, InspectError>, OffsetDateTime) {
        let found = session.inspect(&pick.url).await;
        (pick, found, self.clock.now())
    }
}

#[async_trait]
impl DueWork for Rotation {
    type Item = DueSite;
    type Outcome = Round;

    const NAME: &'static str = "inspections";

    async fn prepare(&self, _now: OffsetDateTime) -> Result<(), StoreError> {
        self.store.bring_back().await
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueSite>, StoreError> {
        // Those that are known already are inspected even so.
        if let Err(error) = self.store.enrol(claim.now, ENROL).await {
            tracing::warn!(%error, "domains can't be enrolled for inspections at the moment");
        }
        self.store.claim(claim).await
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        self.store.next_due(now).await
    }

    fn due_in(&self, site: &DueSite) -> Duration {
        site.due_in
    }

    fn subject(&self, site: &DueSite) -> String {
        site.domain.to_string()
    }

    async fn perform(&self, site: &DueSite) -> Option<Round> {
        match self.make_round(site).await {
            Ok(round) => {
                if let Some(reason) = &round.failure {
                    tracing::warn!(domain = %site.domain, reason, "a round of inspections was stopped; there will be another");
                }
                Some(round)
            }
            Err(error) => {
                tracing::warn!(domain = %site.domain, %error, "inspections wait for the store");
                None
            }
        }
    }

    async fn settle(&self, rounds: &[Round], _now: OffsetDateTime) -> Result<(), StoreError> {
        let counted = self.store.complete(rounds).await?;
        for round in rounds {
            // The last round of a series may find nothing, and counts what those before it found.
            if !round.attempts.is_empty() || counted.contains(&round.domain) {
                self.answers.outdated(round.domain, Module::Indexing).await;
            }
        }
        Ok(())
    }

    async fn release(&self, claimed: &[&DueSite]) -> Result<(), StoreError> {
        self.store.release(claimed).await
    }
}

/// When a site goes on whose inspections of the day are used up: soon after the day is over, each site at a moment of its own.
fn next_day(site: &DueSite, day: QuotaDay) -> OffsetDateTime {
    slots::next_after(day.ends_at, &[site.domain.0.as_bytes()], Duration::minutes(10))
}

fn after_failure(
    site: &DueSite,
    error: &InspectError,
    failures: u32,
    day: QuotaDay,
    now: OffsetDateTime,
) -> OffsetDateTime {
    let doubled = (RETRY * 2_i32.pow(failures.saturating_sub(1).min(10))).min(LONGEST_RETRY);
    match error {
        InspectError::DayExhausted => next_day(site, day),
        InspectError::Busy {
            retry_after: Some(pause),
        } => now + (*pause).clamp(Duration::MINUTE, Duration::DAY),
        InspectError::NoAccess(_) | InspectError::NotPermitted(_) => now + doubled.max(REST),
        _ => now + doubled,
    }
}

/// The pause between rounds that spends what the rotation has left evenly over the rest of the day, as if nothing was spent yet.
fn spread(day: QuotaDay, now: OffsetDateTime) -> Duration {
    let rounds = ROTATION.div_ceil(ROUND);
    let even = Duration::DAY / rounds;
    // The day that is almost over leaves no room for pauses.
    even.min(day.ends_at - now).max(LEAST)
}

/// The changes that an inspection shows, and the pause after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The changes; none at the first inspection.
    pub changes: Vec<Change>,
    /// How long the URL is left alone.
    pub pause: Duration,
}

/// Judges an inspection of a URL. `monitored`: how many URLs the rotation goes through.
#[must_use]
pub fn judge(before: Option<&Compared>, found: &Inspection, is_valuable: bool, monitored: u64) -> Judged {
    let changes = before.map_or_else(Vec::new, |before| changes(before, &found.into()));
    let pause = pause_of(found, !changes.is_empty(), is_valuable, monitored);
    Judged { changes, pause }
}

/// How long a URL is left alone after an inspection: as long as a rotation through all of the site's takes, a day at least.
/// URLs that changed or are valuable are inspected every day; those that stay out of the index on purpose are left alone for a
/// week or more.
fn pause_of(found: &Inspection, has_changed: bool, is_valuable: bool, monitored: u64) -> Duration {
    let days = monitored.div_ceil(ROTATION.into()).max(1);
    let turn = (Duration::DAY * i32::try_from(days).unwrap_or(i32::MAX)).min(LONGEST_PAUSE);
    if has_changed || is_valuable {
        Duration::DAY
    } else if found
        .coverage_reason
        .is_some_and(super::coverage::CoverageReason::is_on_purpose)
    {
        turn.max(ON_PURPOSE)
    } else {
        turn
    }
}

/// A failure of a URL that failed so often in a row before. One that is of the URL alone puts it off for longer each time. One that
/// may be of it alone puts it off for a day, so that the next round asks for others. After any other it stays due.
pub(super) fn failure_of(error: &InspectError, failures: u32) -> InspectionFailure {
    let is_of_the_url = error.is_of_the_url();
    let pause = match error {
        _ if is_of_the_url => Some(pause_after_failures(failures.saturating_add(1))),
        InspectError::NotPermitted(_) => Some(Duration::DAY),
        _ => None,
    };
    InspectionFailure {
        code: error.code(),
        is_of_the_url,
        pause,
    }
}

/// How long a URL is left alone that failed so often in a row.
fn pause_after_failures(failures: u32) -> Duration {
    (URL_RETRY * 2_i32.pow(failures.saturating_sub(1).min(8))).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use pharos_domain::{ids::DomainId, problem::Suffix};
    use time::macros::datetime;

    use super::*;
    use crate::indexing::inspection;

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15 UTC);

    fn found(coverage: &str) -> Inspection {
        let answer = format!(
            r#"{{"inspectionResult": {{"indexStatusResult": {{"verdict": "NEUTRAL", "coverageState": "{coverage}"}}}}}}"#
        );
        inspection::parse(answer.as_bytes()).unwrap()
    }

    #[test]
    fn what_matters_is_inspected_more_often() {
        let crawled = found("Crawled - currently not indexed");
        let redirect = found("Page with redirect");
        let days = |found: &Inspection, changed, valuable, monitored| {
            pause_of(found, changed, valuable, monitored).whole_days()
        };
        // 1,800 a day: 5,400 URLs take three days.
        assert_eq!(days(&crawled, false, false, 100), 1);
        assert_eq!(days(&crawled, false, false, 1_800), 1);
        assert_eq!(days(&crawled, false, false, 5_400), 3);
        assert_eq!(days(&crawled, false, false, 50_000), 28);
        assert_eq!(days(&crawled, true, false, 5_400), 1);
        assert_eq!(days(&crawled, false, true, 5_400), 1);
        assert_eq!(days(&redirect, false, false, 100), 7);
        assert_eq!(days(&redirect, false, false, 18_000), 10);
    }

    #[test]
    fn a_first_inspection_is_no_change() {
        let now = found("Page with redirect");
        assert_eq!(judge(None, &now, false, 1).changes, []);
        let before = Compared::from(&found("Soft 404"));
        assert_eq!(judge(Some(&before), &now, false, 1).changes.len(), 1);
        assert_eq!(judge(Some(&before), &now, false, 1).pause, Duration::DAY);
    }

    #[test]
    fn a_url_that_fails_is_left_alone_for_longer() {
        assert_eq!(
            [1, 2, 3, 30].map(|failures| pause_after_failures(failures).whole_hours()),
            [6, 12, 24, 672]
        );
    }

    #[test]
    fn a_failure_says_what_follows_for_the_url() {
        let refused = failure_of(&InspectError::Refused(String::new()), 1);
        assert_eq!(
            refused,
            InspectionFailure {
                code: Suffix::InvalidRequest,
                is_of_the_url: true,
                pause: Some(Duration::hours(12)),
            }
        );
        let not_permitted = failure_of(&InspectError::NotPermitted(String::new()), 1);
        assert!(!not_permitted.is_of_the_url);
        assert_eq!(not_permitted.pause, Some(Duration::DAY));
        let exhausted = failure_of(&InspectError::DayExhausted, 1);
        assert!(!exhausted.is_of_the_url);
        assert_eq!(exhausted.pause, None);
    }

    #[test]
    fn rounds_of_a_day_are_spread() {
        let day = QuotaDay::of(NOW);
        // 1,800 inspections in rounds of 24 are 75 rounds: one each 19 minutes and 12 seconds.
        assert_eq!(spread(day, NOW), Duration::seconds(1_152));
        assert_eq!(spread(day, day.ends_at - Duration::MINUTE), Duration::MINUTE);
    }

    #[test]
    fn a_failure_puts_the_site_off() {
        let site = DueSite {
            domain: DomainId::generate(),
            site_url: "sc-domain:shop.example".to_owned(),
            linked_at: NOW,
            gathered_at: None,
            failures: 0,
            due_in: Duration::ZERO,
            leased_until: NOW,
        };
        let day = QuotaDay::of(NOW);
        let pause = |error, failures| after_failure(&site, &error, failures, day, NOW) - NOW;
        let away = || InspectError::Away(String::new());
        assert_eq!(pause(away(), 1), Duration::minutes(2));
        assert_eq!(pause(away(), 3), Duration::minutes(8));
        assert_eq!(pause(away(), 99), Duration::hours(6));
        let busy = |seconds| InspectError::Busy {
            retry_after: Some(Duration::seconds(seconds)),
        };
        assert_eq!(pause(busy(600), 1), Duration::minutes(10));
        assert_eq!(pause(busy(0), 1), Duration::MINUTE);
        assert_eq!(pause(InspectError::NoAccess(String::new()), 1), Duration::HOUR);
        let next = after_failure(&site, &InspectError::DayExhausted, 1, day, NOW);
        assert!(next > day.ends_at && next <= day.ends_at + Duration::minutes(10));
    }
}
