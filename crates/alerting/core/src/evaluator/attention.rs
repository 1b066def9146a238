//! The attention of domains, beside what the metrics of their rules say of it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use pharos_domain::{
    alert_metric::{AlertModule, Attention, MetricAnswer, MetricKind},
    ids::DomainId,
};
use time::OffsetDateTime;

use crate::{
    catalogue::Catalogue,
    reading::{Asked, LONGEST, in_time},
    store::DueRule,
};

/// The attention that sources say domains get.
#[derive(Debug, Default)]
pub(super) struct Said {
    silenced: HashSet<DomainId>,
    paused: HashSet<(AlertModule, DomainId)>,
}

impl Said {
    /// Asks each source of the domains that have rules on whose metrics it does not answer: those of other modules, and those that
    /// count events. While one can't be read, such rules may fire.
    pub(super) async fn of(
        catalogue: &Catalogue,
        by_module: &BTreeMap<AlertModule, Vec<Asked<'_>>>,
        now: OffsetDateTime,
    ) -> Self {
        let mut said = Self::default();
        for source in catalogue.sources() {
            let module = source.metrics().module;
            let domains: BTreeSet<DomainId> = by_module
                .values()
                .flatten()
                .filter(|(rule, metric)| rule.settings.module != module || metric.kind == MetricKind::Event)
                .map(|(rule, _)| rule.domain_id)
                .collect();
            if domains.is_empty() {
                continue;
            }
            let domains: Vec<DomainId> = domains.into_iter().collect();
            let found = match in_time(LONGEST, source.attention(&domains, now)).await {
                Ok(found) => found,
                Err(error) => {
                    tracing::warn!(%module, %error, "which sites are worked on can't be read at the moment");
                    continue;
                }
            };
            for (domain, attention) in found {
                match attention {
                    Attention::Watched => {}
                    Attention::Silenced => {
                        said.silenced.insert(domain);
                    }
                    Attention::Paused => {
                        said.paused.insert((module, domain));
                    }
                }
            }
        }
        said
    }

    /// The answer to a rule, with the attention of its domain where the metric says nothing of that.
    pub(super) fn attended(&self, answer: MetricAnswer, rule: &DueRule) -> MetricAnswer {
        let (module, domain) = (rule.settings.module, rule.domain_id);
        let attention = match answer.attention {
            Attention::Watched if self.silenced.contains(&domain) => Attention::Silenced,
            Attention::Watched if self.paused.contains(&(module, domain)) => Attention::Paused,
            told => told,
        };
        MetricAnswer { attention, ..answer }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::HashMap,
        slice,
        sync::{Arc, Mutex},
    };

    use async_trait::async_trait;
    use pharos_domain::{
        alert_metric::{AlertMetric, AlertOperator, MetricQuery, MetricSource, ModuleMetrics},
        store::StoreError,
    };
    use time::macros::datetime;

    use super::*;
    use crate::fixture::{RESPONSE_MS, due};

    const NOW: OffsetDateTime = datetime!(2026-03-31 23:45 UTC);

    static CHANGES: AlertMetric = AlertMetric {
        name: "changes",
        kind: MetricKind::Event,
        ..RESPONSE_MS
    };

    /// Says the same of every domain that it is asked of, and keeps which those are.
    struct Saying {
        module: AlertModule,
        attention: Option<Attention>,
        asked: Mutex<Vec<DomainId>>,
    }

    impl Saying {
        fn new(module: AlertModule, attention: Option<Attention>) -> Arc<Self> {
            Arc::new(Self {
                module,
                attention,
                asked: Mutex::default(),
            })
        }
    }

    #[async_trait]
    impl MetricSource for Saying {
        fn metrics(&self) -> ModuleMetrics {
            ModuleMetrics {
                module: self.module,
                label: "",
                metrics: slice::from_ref(&RESPONSE_MS),
            }
        }

        async fn read(
            &self,
            _queries: &[MetricQuery],
            _now: OffsetDateTime,
        ) -> Result<Vec<MetricAnswer>, StoreError> {
            Ok(Vec::new())
        }

        async fn attention(
            &self,
            domains: &[DomainId],
            _now: OffsetDateTime,
        ) -> Result<HashMap<DomainId, Attention>, StoreError> {
            *self.asked.lock().unwrap() = domains.to_vec();
            let attention = self
                .attention
                .ok_or_else(|| StoreError::Failed("it is away".into()))?;
            Ok(domains.iter().map(|domain| (*domain, attention)).collect())
        }
    }

    /// The attention of a rule of uptime and of one of real-user monitoring, of one domain, where the two sources say this.
    async fn attention(uptime: Option<Attention>, rum: Option<Attention>, counts: bool) -> [Attention; 2] {
        let domain = DomainId::generate();
        let sources = [
            Saying::new(AlertModule::Uptime, uptime),
            Saying::new(AlertModule::Rum, rum),
        ];
        let catalogue = sources
            .iter()
            .map(|source| Arc::clone(source) as Arc<dyn MetricSource>);
        let catalogue = Catalogue::new(catalogue.collect()).unwrap();
        let rules = [AlertModule::Uptime, AlertModule::Rum].map(|module| {
            let mut rule = due(domain, AlertOperator::Gt, 1.0);
            rule.settings.module = module;
            rule
        });
        let metric = if counts { &CHANGES } else { &RESPONSE_MS };
        let by_module = rules
            .iter()
            .map(|rule| (rule.settings.module, vec![(rule, metric)]))
            .collect();
        let said = Said::of(&catalogue, &by_module, NOW).await;
        for source in sources {
            assert_eq!(*source.asked.lock().unwrap(), [domain], "{}", source.module);
        }
        rules
            .each_ref()
            .map(|rule| said.attended(MetricAnswer::default(), rule).attention)
    }

    #[tokio::test]
    async fn each_source_may_silence_all_rules_and_pauses_its_own() {
        use Attention::{Paused, Silenced, Watched};
        for (uptime, rum, expected) in [
            (Some(Watched), Some(Watched), [Watched, Watched]),
            (Some(Silenced), Some(Watched), [Silenced, Silenced]),
            (Some(Watched), Some(Silenced), [Silenced, Silenced]),
            (Some(Paused), Some(Watched), [Paused, Watched]),
            (Some(Watched), Some(Paused), [Watched, Paused]),
            (Some(Paused), Some(Silenced), [Silenced, Silenced]),
            (None, Some(Silenced), [Silenced, Silenced]),
            (None, None, [Watched, Watched]),
        ] {
            for counts in [false, true] {
                let found = attention(uptime, rum, counts).await;
                assert_eq!(found, expected, "{uptime:?} {rum:?} {counts}");
            }
        }
    }

    /// The metric's own answer wins: a domain that is silenced stays paused where the metric says so.
    #[tokio::test]
    async fn a_metric_that_says_so_itself_is_left_with_that() {
        let domain = DomainId::generate();
        let rule = due(domain, AlertOperator::Gt, 1.0);
        let said = Said {
            silenced: [domain].into(),
            ..Said::default()
        };
        let paused = MetricAnswer {
            attention: Attention::Paused,
            ..MetricAnswer::default()
        };
        assert_eq!(said.attended(paused, &rule).attention, Attention::Paused);
    }
}
