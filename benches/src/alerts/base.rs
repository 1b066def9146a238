//! The base: rules one after the other, each with a statement that reads its metric and one that stores what it came to.

use std::{collections::HashMap, time::Instant};

use anyhow::{Context, Result, bail, ensure};
use diesel::{
    QueryableByName,
    query_builder::SqlQuery,
    sql_query,
    sql_types::{Array, Double, Integer, Nullable, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_alerting::{catalogue::Catalogue, evaluate::windows};
use pharos_domain::alert_metric::{MetricKind, MetricWindow};
use pharos_persistence::{sql, statement::Statement};
use time::OffsetDateTime;
use uuid::Uuid;

use super::rules::Rule;

/// How many rules are asked for.
pub(super) const SAMPLE: usize = 200;

#[derive(QueryableByName)]
struct ValueRow {
    #[diesel(sql_type = Nullable<Double>)]
    value: Option<f64>,
}

#[derive(QueryableByName)]
struct StandingRow {
    #[diesel(sql_type = SqlUuid)]
    rule_id: Uuid,
    #[diesel(sql_type = Nullable<Double>)]
    value: Option<f64>,
}

/// How long a rule takes, in seconds, over a sample of all. Their values have to be those that the evaluator found.
pub(super) async fn measure(
    connection: &mut AsyncPgConnection,
    catalogue: &Catalogue,
    rules: &[Rule],
) -> Result<f64> {
    let query = "SELECT rule_id, last_value AS value FROM alert_evaluations";
    let rows: Vec<StandingRow> = sql_query(query).load(connection).await?;
    let found: HashMap<Uuid, Option<f64>> = rows.into_iter().map(|row| (row.rule_id, row.value)).collect();
    let sample: Vec<&Rule> = rules
        .iter()
        .step_by(rules.len().div_ceil(SAMPLE).max(1))
        .collect();
    let (mut compared, mut differ) = (0, Vec::new());
    let began = Instant::now();
    for rule in &sample {
        let value = evaluate(connection, catalogue, rule).await?;
        if let (Some(value), Some(Some(found))) = (value, found.get(&rule.id.0)) {
            compared += 1;
            if !is_near(value, *found) {
                differ.push(format!("{}: {value} is not {found}", rule.settings.metric));
            }
        }
    }
    let lasted = began.elapsed().as_secs_f64();
    ensure!(
        differ.is_empty(),
        "the evaluator found other values: {}",
        differ.join("; ")
    );
    ensure!(
        compared * 2 > sample.len(),
        "only {compared} of {} rules had a value",
        sample.len()
    );
    Ok(lasted / sample.len() as f64)
}

/// Both were asked for at moments that lie some seconds apart.
fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 0.05 * other.abs() + 60.0 * f64::from(u8::from(other > 1e3)) + 0.01
}

async fn evaluate(
    connection: &mut AsyncPgConnection,
    catalogue: &Catalogue,
    rule: &Rule,
) -> Result<Option<f64>> {
    let settings = &rule.settings;
    let metric = catalogue
        .find(settings.module, &settings.metric)
        .context("a metric is gone")?;
    let ranges: Vec<_> = windows(settings, metric, OffsetDateTime::now_utc())
        .into_iter()
        .filter_map(|window| match window {
            MetricWindow::Latest => None,
            MetricWindow::Over(range) => Some((range.from, range.until)),
        })
        .collect();
    let is_latest = settings.evaluation_window.length().is_none();
    let is_event = metric.kind == MetricKind::Event;
    let asked = Asked {
        connection: &mut *connection,
        of: if is_event { rule.id.0 } else { rule.site.domain.0 },
        ranges,
        measure: if metric.name == "ttfb_ms" { 5 } else { 1 },
    };
    let value = match metric.name {
        "uptime_pct" => asked.value(sql!("sql/uptime.sql")).await?,
        "incident_count" => asked.value(sql!("sql/incidents.sql")).await?,
        "response_ms" if is_latest => {
            let query = sql!(text "SELECT CASE WHEN state ->> 'last_error_class' IS NULL
                THEN (state ->> 'last_response_ms')::float8 END AS value FROM uptime_region_states WHERE domain_id = $1");
            asked.value(query).await?
        }
        "response_ms" | "ttfb_ms" => asked.value(sql!("sql/times.sql")).await?,
        "consecutive_failures" => {
            let query = sql!(text "SELECT max((state ->> 'consecutive_failures')::float8) AS value
                FROM uptime_region_states WHERE domain_id = $1");
            asked.value(query).await?
        }
        "blocked_403" => {
            let query = sql!(text "SELECT max((state ->> 'consecutive_forbidden')::float8) AS value
                FROM uptime_region_states WHERE domain_id = $1");
            asked.value(query).await?
        }
        "regions_down" => {
            let query = sql!(text "SELECT (count(*) FILTER (WHERE (state ->> 'is_down')::boolean))::float8 AS value
                FROM uptime_region_states WHERE domain_id = $1");
            asked.value(query).await?
        }
        "ssl_invalid" => {
            let query = sql!(text "SELECT (count(*) FILTER (WHERE state ->> 'last_error_class' LIKE 'tls_%'))::float8 AS value
                FROM uptime_region_states WHERE domain_id = $1");
            asked.value(query).await?
        }
        "ssl_days_remaining" => {
            let query = sql!(text "SELECT floor(extract(epoch FROM max((state ->> 'certificate_valid_until')::timestamptz)
                - now()) / 86400)::float8 AS value FROM uptime_region_states WHERE domain_id = $1");
            asked.value(query).await?
        }
        "domain_days_remaining" => {
            let query = sql!(text "SELECT floor(extract(epoch FROM (r.answer ->> 'expires_at')::timestamptz
                - now()) / 86400)::float8 AS value
                FROM uptime_monitors AS m JOIN domain_registrations AS r ON r.name = m.registrable_domain
                WHERE m.domain_id = $1");
            asked.value(query).await?
        }
        "incident_duration_seconds" => {
            let query = sql!(text "SELECT extract(epoch FROM now() - started_at)::float8 AS value
                FROM uptime_incidents WHERE domain_id = $1 AND resolved_at IS NULL");
            asked.value(query).await?
        }
        _ if is_event => {
            let query =
                sql!(text "SELECT sum(events)::float8 AS value FROM alert_pending_events WHERE rule_id = $1");
            // The evaluator has counted them before.
            asked.value(query).await?.filter(|left| *left > 0.0)
        }
        other => bail!("no statement reads {other}"),
    };
    let query = sql!(text "UPDATE alert_evaluations
        SET last_value = $2, last_evaluated_at = now(), next_evaluation_at = next_evaluation_at WHERE rule_id = $1")
    .bind::<SqlUuid, _>(rule.id.0)
    .bind::<Nullable<Double>, _>(value);
    query.execute(connection).await?;
    Ok(value)
}

/// The parameters of every statement; most look at some of them alone.
struct Asked<'a> {
    connection: &'a mut AsyncPgConnection,
    of: Uuid,
    ranges: Vec<(OffsetDateTime, OffsetDateTime)>,
    measure: i32,
}

impl Asked<'_> {
    /// The value of the rule's own window. Those of the past are read too.
    async fn value<Name: Send + 'static>(self, statement: Statement<Name, SqlQuery>) -> Result<Option<f64>> {
        let (since, until): (Vec<_>, Vec<_>) = self.ranges.into_iter().unzip();
        let query = statement
            .bind::<SqlUuid, _>(self.of)
            .bind::<Array<Timestamptz>, _>(since)
            .bind::<Array<Timestamptz>, _>(until)
            .bind::<Integer, _>(self.measure);
        let rows: Vec<ValueRow> = query.load(self.connection).await?;
        Ok(rows.into_iter().next().and_then(|row| row.value))
    }
}
