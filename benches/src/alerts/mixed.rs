//! Rules on the metrics of all modules, mixed.

use anyhow::Result;
use diesel::{
    sql_query,
    sql_types::{Array, Text},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_alerting::{
    catalogue::Catalogue,
    rule::{RuleSettings, RuleState},
};
use pharos_domain::{
    alert_metric::{AlertMetric, AlertModule, MetricKind},
    ids::AlertRuleId,
};

use super::{
    rules::{self, EACH, Look, Rule, holding, looks, of, of_events},
    sites::Site,
    statements::Observer,
};

/// Ten rules of each site, over the metrics of all modules in turn, with all their operators and windows. Uptime alone has data.
/// Those that count events are named by the state that they come to; the others are broken by nothing.
pub(super) fn rules(catalogue: &Catalogue, sites: &[Site]) -> Vec<Rule> {
    let metrics: Vec<(AlertModule, &AlertMetric)> = catalogue
        .modules()
        .flat_map(|found| found.metrics.iter().map(move |metric| (found.module, metric)))
        .collect();
    let mut rules = Vec::with_capacity(EACH * sites.len());
    for turn in 0..EACH * sites.len() {
        let site = sites[turn % sites.len()];
        let (module, metric) = metrics[turn % metrics.len()];
        let looks = looks(metric);
        rules.push(Rule {
            id: AlertRuleId::generate(),
            site,
            settings: settings(site, module, metric, looks[turn / metrics.len() % looks.len()]),
        });
    }
    rules
}

fn settings(site: Site, module: AlertModule, metric: &AlertMetric, look: Look) -> RuleSettings {
    let breaking = site.has_events().then(|| of_events(look.operator)).flatten();
    let (threshold, state) = match (metric.kind, breaking) {
        (MetricKind::Event, Some(threshold)) => (threshold, Some(RuleState::Firing)),
        (MetricKind::Event, None) => (holding(look.operator), Some(RuleState::Ok)),
        _ => (holding(look.operator), None),
    };
    of(module, metric, look, threshold, state)
}

/// Puts the rules in the place of all others. None is due.
pub(super) async fn put_in_place(connection: &mut AsyncPgConnection, rules: &[Rule]) -> Result<()> {
    connection.batch_execute("DELETE FROM alert_rules").await?;
    rules::store(connection, rules).await?;
    connection
        .batch_execute("VACUUM ANALYZE alert_rules, alert_evaluations")
        .await?;
    Ok(())
}

/// Has the sites that have events have two of every other module's metrics as well.
pub(super) async fn happen(observer: &mut Observer, catalogue: &Catalogue) -> Result<()> {
    let (modules, metrics): (Vec<&str>, Vec<&str>) = catalogue
        .modules()
        .filter(|found| found.module != AlertModule::Uptime)
        .flat_map(|found| {
            let events = found
                .metrics
                .iter()
                .filter(|metric| metric.kind == MetricKind::Event);
            events.map(move |metric| (found.module.as_str(), metric.name))
        })
        .unzip();
    sql_query(include_str!("sql/events.sql"))
        .bind::<Array<Text>, _>(modules)
        .bind::<Array<Text>, _>(metrics)
        .execute(&mut observer.connection)
        .await?;
    observer
        .connection
        .batch_execute("DELETE FROM alert_wakes")
        .await?;
    Ok(())
}
