//! The rules: ten of each site, over all metrics with all their operators and windows, and what each comes to.

use anyhow::{Context, Result};
use diesel::sql_types::{Array, Double, Integer, Nullable, Text, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_alerting::{
    catalogue::Catalogue,
    rule::{RuleSettings, RuleState},
    severity::Severity,
};
use pharos_domain::{
    alert_metric::{
        AlertMetric, AlertModule, AlertOperator, ComparisonWindow, EvaluationWindow, MetricFilter,
        MetricKind, Phrase,
    },
    ids::AlertRuleId,
};
use pharos_persistence::sql;

use super::sites::Site;

/// How many rules each site has.
pub(super) const EACH: usize = 10;
/// One rule in so many is broken, where its operator compares with a value.
const BROKEN: usize = 11;
/// One rule in so many asks for more checks than there are.
const STARVED: usize = 97;
/// Beyond every value, and every change in percent.
const BEYOND: f64 = 1e9;

/// A rule.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) id: AlertRuleId,
    pub(super) site: Site,
    pub(super) settings: RuleSettings,
}

/// The way in which a rule looks at its metric.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) operator: AlertOperator,
    comparison: Option<ComparisonWindow>,
    window: EvaluationWindow,
}

/// The rules of all sites: first one of each site, then the next, so that those of a site lie as far apart as they can. A
/// rule's name is the state that it comes to.
pub(super) fn rules(catalogue: &Catalogue, sites: &[Site]) -> Result<Vec<Rule>> {
    let metrics = catalogue
        .module(AlertModule::Uptime)
        .context("there are no metrics of uptime")?
        .metrics;
    let failures = catalogue
        .find(AlertModule::Uptime, "consecutive_failures")
        .context("failures in a row are no metric")?;
    let mut rules = Vec::with_capacity(EACH * sites.len());
    for slot in 0..EACH {
        for (at, site) in sites.iter().enumerate() {
            let settings = if slot == 0 {
                outage(*site, failures)
            } else {
                let turn = (slot - 1) * sites.len() + at;
                let metric = &metrics[turn % metrics.len()];
                let looks = looks(metric);
                settings(*site, turn, metric, looks[turn / metrics.len() % looks.len()])
            };
            rules.push(Rule {
                id: AlertRuleId::generate(),
                site: *site,
                settings,
            });
        }
    }
    Ok(rules)
}

/// All ways in which rules may look at a metric, but for falls of counts: a rule asks for a fall by all of it at most, and a count of
/// nothing is one.
pub(super) fn looks(metric: &AlertMetric) -> Vec<Look> {
    let is_count = matches!(metric.phrase, Phrase::Count { .. });
    let mut looks = Vec::new();
    for &window in metric.windows {
        for &operator in metric.operators {
            if is_count && operator == AlertOperator::PctDecrease {
                continue;
            }
            let comparisons = if operator.compares() {
                ComparisonWindow::ALL.iter().copied().map(Some).collect()
            } else {
                vec![None]
            };
            looks.extend(comparisons.into_iter().map(|comparison| Look {
                operator,
                comparison,
                window,
            }));
        }
    }
    looks
}

/// The rule that warns of an outage, which every site has.
fn outage(site: Site, failures: &AlertMetric) -> RuleSettings {
    let state = if !site.is_watched() {
        RuleState::NoData
    } else if site.is_down() {
        RuleState::Firing
    } else {
        RuleState::Ok
    };
    let look = Look {
        operator: AlertOperator::Gte,
        comparison: None,
        window: EvaluationWindow::Latest,
    };
    RuleSettings {
        severity: Severity::Critical,
        ..of(AlertModule::Uptime, failures, look, 2.0, Some(state))
    }
}

fn settings(site: Site, turn: usize, metric: &AlertMetric, look: Look) -> RuleSettings {
    let is_timed = matches!(metric.name, "response_ms" | "ttfb_ms");
    let is_latest = look.window == EvaluationWindow::Latest;
    let is_starved = is_timed && !is_latest && turn % STARVED == 5;
    let is_unknown = metric.kind != MetricKind::Event
        && (!site.is_watched() || is_starved || (is_timed && is_latest && site.is_down()));
    let breaking = match metric.kind {
        _ if is_unknown => None,
        MetricKind::Event => site.has_events().then(|| of_events(look.operator)).flatten(),
        _ if is_timed && site.is_slow() && is_of_today(look.window) => of_slowness(look.operator),
        _ if turn % BROKEN != 4 => None,
        // Nothing breaks what is not there.
        _ if metric.name == "incident_duration_seconds" && !site.is_down() => None,
        _ => of_value(site, metric, look.operator),
    };
    let (threshold, state) = match breaking {
        Some(threshold) => (threshold, RuleState::Firing),
        None if is_unknown => (holding(look.operator), RuleState::NoData),
        None => (holding(look.operator), RuleState::Ok),
    };
    RuleSettings {
        min_sample: is_starved.then_some(1_000_000),
        ..of(AlertModule::Uptime, metric, look, threshold, Some(state))
    }
}

/// A rule that comes to this state, where that is known. Its threshold may lie beyond all values that there can be, so that what it
/// comes to is sure: nobody can make such a rule, and it is evaluated as any other.
pub(super) fn of(
    module: AlertModule,
    metric: &AlertMetric,
    look: Look,
    threshold: f64,
    state: Option<RuleState>,
) -> RuleSettings {
    RuleSettings {
        name: state.map(|state| state.to_string()),
        module,
        metric: metric.name.to_owned(),
        operator: look.operator,
        threshold,
        comparison_window: look.comparison,
        evaluation_window: look.window,
        min_sample: None,
        filter: MetricFilter::default(),
        severity: Severity::Warning,
        enabled: true,
        cooldown_minutes: metric.default.cooldown_minutes,
    }
}

/// The threshold that nothing breaks.
pub(super) const fn holding(operator: AlertOperator) -> f64 {
    match operator {
        AlertOperator::Lt | AlertOperator::Lte => -BEYOND,
        // Nothing falls by more.
        AlertOperator::PctDecrease => 100.0,
        _ => BEYOND,
    }
}

/// The threshold that every value breaks; `None`: there is none.
fn of_value(site: Site, metric: &AlertMetric, operator: AlertOperator) -> Option<f64> {
    // A count may be 0, as long as nothing is wrong; two failures in a row are counted of a site that is down.
    let is_count = matches!(metric.phrase, Phrase::Count { .. });
    match operator {
        AlertOperator::Gt | AlertOperator::Gte if is_count => {
            (metric.name == "consecutive_failures" && site.is_down()).then_some(1.0)
        }
        AlertOperator::Gt | AlertOperator::Gte => Some(-BEYOND),
        AlertOperator::Lt | AlertOperator::Lte => Some(BEYOND),
        AlertOperator::Eq if site.is_down() => None,
        AlertOperator::Eq => match metric.name {
            "ssl_days_remaining" => Some(super::data::CERTIFICATE_DAYS as f64),
            "domain_days_remaining" => Some(super::data::REGISTRATION_DAYS as f64),
            _ => Some(0.0),
        },
        AlertOperator::PctDecrease | AlertOperator::PctIncrease | AlertOperator::Anomaly => None,
    }
}

/// The threshold that two events break.
pub(super) const fn of_events(operator: AlertOperator) -> Option<f64> {
    match operator {
        AlertOperator::Gt => Some(1.0),
        AlertOperator::Gte | AlertOperator::Eq => Some(2.0),
        _ => None,
    }
}

/// The threshold that answers break which take three times as long as usual.
const fn of_slowness(operator: AlertOperator) -> Option<f64> {
    match operator {
        AlertOperator::PctIncrease => Some(50.0),
        AlertOperator::Anomaly => Some(3.0),
        _ => None,
    }
}

const fn is_of_today(window: EvaluationWindow) -> bool {
    matches!(window, EvaluationWindow::Hour | EvaluationWindow::Day)
}

/// Stores the rules. None is due.
pub(super) async fn store(connection: &mut AsyncPgConnection, rules: &[Rule]) -> Result<()> {
    let settings = || rules.iter().map(|rule| &rule.settings);
    let number = |number: u32| i32::try_from(number);
    let query = sql!("sql/rules.sql")
        .bind::<Array<SqlUuid>, _>(rules.iter().map(|rule| rule.id.0).collect::<Vec<_>>())
        .bind::<Array<SqlUuid>, _>(rules.iter().map(|rule| rule.site.domain.0).collect::<Vec<_>>())
        .bind::<Array<Nullable<Text>>, _>(settings().map(|rule| rule.name.clone()).collect::<Vec<_>>())
        .bind::<Array<Text>, _>(settings().map(|rule| rule.metric.clone()).collect::<Vec<_>>())
        .bind::<Array<Text>, _>(settings().map(|rule| rule.operator.as_str()).collect::<Vec<_>>())
        .bind::<Array<Double>, _>(settings().map(|rule| rule.threshold).collect::<Vec<_>>())
        .bind::<Array<Nullable<Text>>, _>(
            settings()
                .map(|rule| rule.comparison_window.map(|window| window.as_str()))
                .collect::<Vec<_>>(),
        )
        .bind::<Array<Text>, _>(
            settings()
                .map(|rule| rule.evaluation_window.as_str())
                .collect::<Vec<_>>(),
        )
        .bind::<Array<Nullable<Integer>>, _>(
            settings()
                .map(|rule| rule.min_sample.map(number).transpose())
                .collect::<Result<Vec<_>, _>>()?,
        )
        .bind::<Array<Text>, _>(settings().map(|rule| rule.severity.as_str()).collect::<Vec<_>>())
        .bind::<Array<Integer>, _>(
            settings()
                .map(|rule| number(rule.cooldown_minutes))
                .collect::<Result<Vec<_>, _>>()?,
        )
        .bind::<Array<Text>, _>(settings().map(|rule| rule.module.as_str()).collect::<Vec<_>>());
    query.execute(connection).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use async_trait::async_trait;
    use pharos_domain::{
        alert_metric::{MetricAnswer, MetricQuery, MetricSource, ModuleMetrics},
        ids::DomainId,
        store::StoreError,
    };
    use time::OffsetDateTime;

    use super::{super::mixed, *};

    /// The metrics of a module alone: nobody asks for values.
    struct Source(ModuleMetrics);

    #[async_trait]
    impl MetricSource for Source {
        fn metrics(&self) -> ModuleMetrics {
            self.0
        }

        async fn read(
            &self,
            _queries: &[MetricQuery],
            _now: OffsetDateTime,
        ) -> Result<Vec<MetricAnswer>, StoreError> {
            Ok(Vec::new())
        }
    }

    #[test]
    fn each_site_has_ten_rules_over_all_modules() {
        let catalogue = Catalogue::new(vec![
            Arc::new(Source(pharos_uptime::alert_metrics::CATALOGUE)),
            Arc::new(Source(pharos_vitals::alert_metrics::CATALOGUE)),
            Arc::new(Source(pharos_vitals::crux::alert_metrics::CATALOGUE)),
        ])
        .unwrap();
        let sites: Vec<Site> = (0..1_000)
            .map(|number| Site {
                number,
                domain: DomainId::generate(),
            })
            .collect();
        let all = EACH * sites.len();
        assert_eq!(rules(&catalogue, &sites).unwrap().len(), all);
        let of_all_modules = mixed::rules(&catalogue, &sites);
        assert_eq!(of_all_modules.len(), all);
        for module in [AlertModule::Uptime, AlertModule::Rum, AlertModule::Crux] {
            let mut modules = of_all_modules.iter().map(|rule| rule.settings.module);
            assert!(modules.any(|found| found == module), "{module}");
        }
    }
}
