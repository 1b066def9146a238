//! The alert rules of the shops.

use anyhow::Context;
use pharos_alerting::{rule::RuleSettings, severity::Severity, store::RuleAdmin};
use pharos_domain::alert_metric::{AlertModule, AlertOperator, EvaluationWindow, MetricFilter};

use super::Demo;

/// Makes them, in the name of whom the demo's key belongs to.
///
/// # Errors
/// A port is missing, or the store failed.
pub(crate) async fn prepare(demo: &Demo<'_>) -> anyhow::Result<()> {
    let rules = demo.ports.get::<dyn RuleAdmin>()?;
    for shop in &demo.new {
        let user = shop.identity().user_id;
        for rule in [is_down(), is_slow()] {
            let made = rules.create(shop.id(), user, &rule, demo.now).await;
            made.context("the demo's alert rules")?;
        }
    }
    Ok(())
}

/// Fires once two checks in a row have failed.
fn is_down() -> RuleSettings {
    RuleSettings {
        name: Some("Down".to_owned()),
        module: AlertModule::Uptime,
        metric: "consecutive_failures".to_owned(),
        operator: AlertOperator::Gte,
        threshold: 2.0,
        comparison_window: None,
        evaluation_window: EvaluationWindow::Latest,
        min_sample: None,
        filter: MetricFilter::default(),
        severity: Severity::Critical,
        enabled: true,
        cooldown_minutes: 0,
    }
}

/// Fires once the answers of the last hour took too long in the mean.
fn is_slow() -> RuleSettings {
    RuleSettings {
        name: Some("Slow".to_owned()),
        metric: "response_ms".to_owned(),
        operator: AlertOperator::Gt,
        threshold: 150.0,
        evaluation_window: EvaluationWindow::Hour,
        min_sample: Some(20),
        severity: Severity::Warning,
        cooldown_minutes: 120,
        ..is_down()
    }
}
