//! Queries in parts: as many sites at once as there is memory for what is known of them.

use std::collections::HashMap;

use pharos_domain::{alert_metric::MetricQuery, ids::DomainId};
use time::OffsetDateTime;

use super::Asked;

/// How many days of sites are read together: whoever flaps all the time has thousands of spans a day, and all of them are in memory
/// at once. Twelve weeks, as far as a rule looks back, and the present day are those of 50 sites.
const DAYS: i64 = 50 * 85;

/// Queries with their places, in parts of so few days of sites that what is known of them takes little memory. All queries of a site
/// are in one part.
pub(super) fn parts(queries: &[MetricQuery], now: OffsetDateTime) -> Vec<Vec<(usize, MetricQuery)>> {
    let since = Asked::of(queries, now).since;
    let days = |site: &DomainId| since.get(site).map_or(0, |since| (now - *since).whole_days()) + 1;
    let mut numbers: HashMap<DomainId, usize> = HashMap::new();
    let mut parts: Vec<Vec<(usize, MetricQuery)>> = Vec::new();
    let mut taken = 0;
    for (place, query) in queries.iter().enumerate() {
        let number = *numbers.entry(query.domain).or_insert_with_key(|site| {
            taken += days(site);
            if parts.is_empty() || taken > DAYS {
                parts.push(Vec::new());
                taken = days(site);
            }
            parts.len() - 1
        });
        if let Some(part) = parts.get_mut(number) {
            part.push((place, query.clone()));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use std::{
        collections::HashSet,
        sync::{Arc, Mutex},
    };

    use async_trait::async_trait;
    use pharos_domain::{
        alert_metric::{MetricSource, MetricWindow, Reading},
        store::StoreError,
        time_range::TimeRange,
    };
    use time::Duration;

    use super::*;
    use crate::{
        alert_metrics::{
            MeanTimes, MetricStore, UptimeMetrics,
            tests::{last, metric, query},
        },
        fixture::{NOW, knowledge},
        knowledge::MonitorKnowledge,
        monitor::settings::MonitorSettings,
    };

    /// Sites whose domains end in so many days, and how many of them were asked for at once.
    struct Ending {
        days: HashMap<DomainId, i64>,
        asked: Mutex<Vec<usize>>,
    }

    #[async_trait]
    impl MetricStore for Ending {
        async fn known(
            &self,
            sites: &HashMap<DomainId, OffsetDateTime>,
        ) -> Result<HashMap<DomainId, MonitorKnowledge>, StoreError> {
            self.asked.lock().unwrap().push(sites.len());
            let known = sites.keys().map(|id| {
                let mut known = knowledge(&[("eu", 5)]);
                known.registration_ends_at = Some(NOW + Duration::days(self.days[id]));
                (*id, known)
            });
            Ok(known.collect())
        }

        async fn settings(&self, _: &[DomainId]) -> Result<HashMap<DomainId, MonitorSettings>, StoreError> {
            Ok(HashMap::new())
        }

        async fn times(&self, _: &[(DomainId, TimeRange)]) -> Result<Vec<MeanTimes>, StoreError> {
            Ok(Vec::new())
        }
    }

    /// How all sites stand is read at once; the past of twelve weeks is read of fifty at a time.
    #[tokio::test]
    async fn many_sites_are_read_in_parts_by_how_far_back_and_answered_in_order() {
        let sites: Vec<DomainId> = (0..120).map(|_| DomainId::generate()).collect();
        let expected: Vec<_> = (0..120_u32)
            .chain(0..120)
            .map(|days| Reading::Value(f64::from(days)))
            .collect();
        let present = vec![MetricWindow::Latest];
        let weeks = vec![MetricWindow::Latest, last(12 * 7 * 24)];
        for (windows, parts) in [(present, vec![120]), (weeks, vec![50, 50, 20])] {
            let store = Arc::new(Ending {
                days: sites.iter().copied().zip(0..).collect(),
                asked: Mutex::default(),
            });
            let metrics = UptimeMetrics { store: store.clone() };
            // Each site is asked about twice, far apart.
            let asked: Vec<MetricQuery> = sites
                .iter()
                .chain(&sites)
                .map(|site| MetricQuery {
                    metric: metric("domain_days_remaining"),
                    ..query(*site, windows.clone())
                })
                .collect();
            let answers = metrics.read(&asked, NOW).await.unwrap();
            let days: Vec<_> = answers.iter().map(|answer| answer.values[0].reading).collect();
            assert_eq!(days, expected);
            assert_eq!(*store.asked.lock().unwrap(), parts);
        }
    }

    /// A site that rules ask about twice, far apart, counts as far back as the one that looks back farthest.
    #[test]
    fn a_part_has_no_more_days_of_sites_than_may_be_in_memory() {
        let sites: Vec<DomainId> = (0..120).map(|_| DomainId::generate()).collect();
        let present = sites.iter().map(|site| query(*site, vec![MetricWindow::Latest]));
        let weeks = sites
            .iter()
            .step_by(2)
            .map(|site| query(*site, vec![last(12 * 7 * 24)]));
        let queries: Vec<MetricQuery> = present.chain(weeks).collect();
        let parts = parts(&queries, NOW);
        // Every second site is queried for 85 days too: a part has room for 49 of these, and for as many others.
        let sizes: Vec<usize> = parts.iter().map(Vec::len).collect();
        assert_eq!(sizes, [98 + 49, 22 + 11]);
        let of_part = |part: &[(usize, MetricQuery)]| -> HashSet<DomainId> {
            part.iter().map(|(_, query)| query.domain).collect()
        };
        assert!(of_part(&parts[0]).is_disjoint(&of_part(&parts[1])));
        let mut all = parts.concat();
        all.sort_by_key(|(place, _)| *place);
        assert!(all.into_iter().eq(queries.into_iter().enumerate()));
    }
}
