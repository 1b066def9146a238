//! A round: all rules as if they were new, all of them due, evaluated, and looked at.

use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use diesel::{
    QueryableByName, sql_query,
    sql_types::{BigInt, Text},
};
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use pharos_alerting::evaluator::Evaluator;
use pharos_domain::ports::Ports;
use tokio::time::sleep;

use super::{
    data::check_all,
    sites::Site,
    statements::{Counted, Observer},
};
use crate::{interrupt, machine};

/// How long rules may take before they are given up.
const PATIENCE: Duration = Duration::from_secs(600);
/// How long an evaluator rests that has found nothing, as it does where the bell rings.
const REST: Duration = Duration::from_millis(100);

/// The cost of evaluating all rules.
pub(super) struct Took {
    pub(super) seconds: f64,
    pub(super) statements: Option<Counted>,
    /// By how much the process grew, in bytes.
    pub(super) grown: u64,
}

/// A burst, in seconds from the first check on.
pub(super) struct Burst {
    pub(super) stored: f64,
    pub(super) fired: f64,
}

#[derive(QueryableByName)]
struct CountRow {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

#[derive(QueryableByName)]
struct StateRow {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = BigInt)]
    rules: i64,
    #[diesel(sql_type = BigInt)]
    others: i64,
}

#[derive(QueryableByName)]
struct MetricRow {
    #[diesel(sql_type = Text)]
    metric: String,
    #[diesel(sql_type = BigInt)]
    values: i64,
}

/// Evaluates all rules that are due, until there is none left.
pub(super) async fn evaluate(evaluator: &Evaluator, observer: &mut Observer) -> Result<Took> {
    // Before the present that the evaluator's clock tells.
    let due = "UPDATE alert_evaluations SET next_evaluation_at = now() - interval '1 minute', last_evaluated_at = NULL";
    observer.connection.batch_execute(due).await?;
    observer.reset().await?;
    let before = machine::memory_from_here()?;
    let began = Instant::now();
    while evaluator.once().await? > 0 {
        if interrupt::came() {
            bail!("interrupted");
        }
        ensure!(began.elapsed() < PATIENCE, "there is no end to the rules");
    }
    let seconds = began.elapsed().as_secs_f64();
    let most = machine::most_memory(std::process::id())?;
    Ok(Took {
        seconds,
        statements: observer.counted().await?,
        grown: most.saturating_sub(before),
    })
}

/// Has all rules be new, with events to count and sites that were checked just now.
pub(super) async fn renew(ports: &Ports, observer: &mut Observer, sites: &[Site]) -> Result<()> {
    observer
        .connection
        .batch_execute(include_str!("sql/calm.sql"))
        .await?;
    // Twice, which ends what was down before for one check alone.
    check_all(ports, sites, Site::is_down).await?;
    check_all(ports, sites, Site::is_down).await?;
    observer
        .connection
        .batch_execute("DELETE FROM alert_wakes")
        .await?;
    observer.connection.batch_execute("CHECKPOINT").await?;
    Ok(())
}

/// Fails unless every rule was evaluated, and those that have a name stand as it says, in every state that one names. Says how many
/// stand how.
pub(super) async fn standing(observer: &mut Observer, rules: usize) -> Result<String> {
    let evaluated = "SELECT count(*) FROM alert_evaluations
        WHERE last_evaluated_at IS NOT NULL AND leased_until IS NULL";
    let count = count(observer, evaluated).await?;
    ensure!(
        usize::try_from(count) == Ok(rules),
        "{count} of {rules} rules were evaluated"
    );
    let states = "SELECT coalesce(r.name, 'unnamed') AS name, count(*) AS rules, count(*) FILTER (WHERE e.state <> r.name) AS others
        FROM alert_rules AS r JOIN alert_evaluations AS e ON e.rule_id = r.id
        GROUP BY r.name ORDER BY r.name";
    let rows: Vec<StateRow> = sql_query(states).load(&mut observer.connection).await?;
    if rows.iter().any(|row| row.others > 0) {
        bail!("rules stand otherwise: {}", wrong(observer).await?);
    }
    let shares: Vec<String> = rows
        .iter()
        .map(|row| format!("{} {}", row.rules, row.name))
        .collect();
    ensure!(
        rows.len() == 3,
        "not every state was reached: {}",
        shares.join(", ")
    );
    Ok(shares.join(", "))
}

/// The same, and fails unless every metric had values.
pub(super) async fn check(observer: &mut Observer, rules: usize, metrics: usize) -> Result<String> {
    let shares = standing(observer, rules).await?;
    let values = "SELECT r.metric, count(e.last_value) AS values
        FROM alert_rules AS r JOIN alert_evaluations AS e ON e.rule_id = r.id
        GROUP BY r.metric";
    let rows: Vec<MetricRow> = sql_query(values).load(&mut observer.connection).await?;
    ensure!(rows.len() == metrics, "only {} metrics have rules", rows.len());
    if let Some(row) = rows.iter().find(|row| row.values == 0) {
        bail!("{} had no value", row.metric);
    }
    Ok(shares)
}

/// The rules that do not stand as their names say.
async fn wrong(observer: &mut Observer) -> Result<String> {
    let query = "SELECT concat_ws(' ', r.metric, r.operator, r.evaluation_window, r.comparison_window, r.threshold, r.name, 'is',
            e.state, e.last_value, 'of site', s.number) AS name, 0::bigint AS rules, 0::bigint AS others
        FROM alert_rules AS r
        JOIN alert_evaluations AS e ON e.rule_id = r.id
        JOIN bench_sites AS s ON s.domain_id = r.domain_id
        WHERE e.state <> r.name
        LIMIT 20";
    let rows: Vec<StateRow> = sql_query(query).load(&mut observer.connection).await?;
    Ok(rows
        .into_iter()
        .map(|row| row.name)
        .collect::<Vec<_>>()
        .join("; "))
}

/// How many rows alerts led to. Every alert has a notification, and that a delivery with its job.
pub(super) async fn written(observer: &mut Observer) -> Result<f64> {
    let tables = ["alert_history", "notifications", "alert_deliveries"];
    let mut counts = Vec::new();
    for table in tables {
        counts.push(count(observer, &format!("SELECT count(*) FROM {table}")).await?);
    }
    counts.push(
        count(
            observer,
            "SELECT count(*) FROM jobs WHERE kind = 'alert_delivery'",
        )
        .await?,
    );
    ensure!(
        counts.iter().all(|count| *count > 0 && *count == counts[0]),
        "alerts, notifications, deliveries and jobs are {counts:?}"
    );
    Ok(counts.iter().sum::<i64>() as f64)
}

/// Takes all sites down at once while the evaluator runs, and waits until each site's rule has fired.
pub(super) async fn burst(
    ports: &Ports,
    evaluator: &Evaluator,
    observer: &mut Observer,
    sites: &[Site],
) -> Result<Burst> {
    // Nothing is due by itself.
    let later = "UPDATE alert_evaluations SET next_evaluation_at = now() + interval '1 hour'";
    observer.connection.batch_execute(later).await?;
    check_all(ports, sites, |_| true).await?;
    let began = Instant::now();
    let store = async {
        check_all(ports, sites, |_| true).await?;
        anyhow::Ok(began.elapsed())
    };
    let watched = i64::try_from(sites.iter().filter(|site| site.is_watched()).count())?;
    let fire = async {
        loop {
            if evaluator.once().await? > 0 {
                let fired = "SELECT count(DISTINCT h.domain_id) FROM alert_history AS h
                    WHERE h.metric = 'consecutive_failures' AND h.severity = 'critical'";
                if count(observer, fired).await? == watched {
                    return anyhow::Ok(began.elapsed());
                }
            } else {
                sleep(REST).await;
            }
            ensure!(
                began.elapsed() < PATIENCE && !interrupt::came(),
                "not all rules fire"
            );
        }
    };
    let (stored, fired) = tokio::try_join!(store, fire)?;
    Ok(Burst {
        stored: stored.as_secs_f64(),
        fired: fired.as_secs_f64(),
    })
}

async fn count(observer: &mut Observer, query: &str) -> Result<i64> {
    let row: CountRow = sql_query(query).get_result(&mut observer.connection).await?;
    Ok(row.count)
}
