//! A report of as many rows as one keeps, from a node as it is released: how long it takes, and how much memory.

use std::{
    path::Path,
    thread,
    time::{Duration as Pause, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use pharos_domain::{ids::DomainId, ports::Ports, window::DateRange};
use pharos_http::spec::BASE_PATH;
use pharos_search::gsc::{
    figures::{Device, Figures, SearchType},
    import::{ImportedDay, Row, SearchImport},
    link::LinkStore,
    place::{Country, Place},
    reports::MOST_ROWS,
};
use serde_json::{Value, json};
use time::Date;

use super::{
    data::{self, PROGRESS},
    site::query_text,
};
use crate::{
    compared::{Figure, Finding, Measured, Others, Target},
    exchange::Wire,
    interrupt, machine,
    process::Process,
};

/// The most memory that the node may ever hold, in MB.
const MEMORY: f64 = 200.0;
/// The days of the property, and the queries of each: as many rows as a report keeps.
const DAYS: u32 = 50;
const QUERIES: usize = 20_000;
/// As many rows as a page may have.
const PAGE: usize = 50_000;
/// The pause between two looks at the run.
const LOOK_EVERY: Pause = Pause::from_millis(200);
/// How long the run may take.
const PATIENCE: Pause = Pause::from_secs(600);

/// Links a domain, and imports the days that end with `last`: the same queries on each.
pub(super) async fn import(ports: &Ports, url: &str, domain: DomainId, last: Date) -> Result<DateRange> {
    let mut connection = AsyncPgConnection::establish(url).await?;
    data::link(&mut connection, domain, last).await?;
    let links = ports.get::<dyn LinkStore>()?;
    let link = links.link(domain).await?.context("the domain is not linked")?;
    let import = ports.get::<dyn SearchImport>()?;
    let (window, day) = (DateRange::ending(last, DAYS), day());
    for (number, date) in (1_u32..).zip(window.dates()) {
        if interrupt::came() {
            bail!("interrupted");
        }
        import
            .replace_day(link.of(), SearchType::Web, date, &day)
            .await
            .with_context(|| format!("{date} can't be stored"))?;
        if number.is_multiple_of(PROGRESS) {
            eprintln!("  {number} of {DAYS} days");
        }
    }
    connection.batch_execute("VACUUM ANALYZE").await?;
    Ok(window)
}

fn day() -> ImportedDay {
    let place = Place {
        country: Country::new("DE"),
        device: Some(Device::Mobile),
    };
    let row = |query: usize| Row {
        value: query_text(query),
        place,
        figures: Figures {
            clicks: 1,
            impressions: 10,
            position_sum: 30.0,
        },
    };
    let queries: Vec<Row<String>> = (0..QUERIES).map(row).collect();
    let totals: Figures = queries.iter().map(|row| row.figures).sum();
    ImportedDay {
        is_final: true,
        totals: Some(totals),
        queries,
        ..ImportedDay::default()
    }
}

/// Runs the report of queries by day, pages through all of its rows, and tells what that took.
pub(super) fn measure(
    program: &Path,
    url: &str,
    (secret, domain): (&str, DomainId),
    window: DateRange,
) -> Result<Vec<Finding>> {
    let node = Process::node(program, "api,worker", url)?;
    let mut pull = Pull {
        wire: Wire::open(node.address)?,
        secret,
        path: format!("{BASE_PATH}/domains/{domain}/gsc/reports"),
    };
    let others = Others::from_here()?;
    let began = Instant::now();
    let run = pull.run(window)?;
    let seconds = began.elapsed().as_secs_f64();
    let pages = pull.pages(&run)?;
    let memory = machine::most_memory(node.id())? as f64 / 1e6;
    let others = others.took()?;
    let findings = [
        (
            "report-memory",
            format!("the most that a node held while it made {MOST_ROWS} rows and gave them out"),
            Target::AtMost(MEMORY),
            Measured::Alone(vec![memory], "MB"),
        ),
        (
            "report-run",
            "from the request of the run to its rows".to_owned(),
            Target::None,
            Measured::Alone(vec![seconds], "s"),
        ),
        (
            "report-page",
            format!("a page of {PAGE} rows"),
            Target::None,
            Measured::Alone(pages, "ms"),
        ),
    ];
    let finding = |(name, title, target, measured): (&str, _, _, _)| Finding {
        figure: Figure {
            name: name.to_owned(),
            title,
            target,
        },
        measured,
        others,
    };
    Ok(findings.map(finding).into())
}

/// Whoever asks for the report.
struct Pull<'a> {
    wire: Wire,
    secret: &'a str,
    path: String,
}

impl Pull<'_> {
    fn get(&mut self, path: &str) -> Result<Vec<u8>> {
        let request = format!("GET {}/{path} HTTP/1.1\r\n{}\r\n", self.path, self.headers());
        self.ask(&request)
    }

    fn post(&mut self, path: &str, body: &Value) -> Result<Vec<u8>> {
        let body = body.to_string();
        let request = format!(
            "POST {}/{path} HTTP/1.1\r\n{}idempotency-key: bench\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            self.path,
            self.headers(),
            body.len()
        );
        self.ask(&request)
    }

    fn headers(&self) -> String {
        format!(
            "host: localhost\r\nauthorization: Bearer {}\r\naccept: application/json\r\n",
            self.secret
        )
    }

    fn ask(&mut self, request: &str) -> Result<Vec<u8>> {
        if interrupt::came() {
            bail!("interrupted");
        }
        Ok(self.wire.ask(request.as_bytes())?.body)
    }

    /// Has the report be made, and gives the id of its run once all rows are there.
    fn run(&mut self, window: DateRange) -> Result<String> {
        let asked = json!({ "parameters": {
            "start_date": window.first().to_string(), "end_date": window.last().to_string(),
        } });
        let run: Value = serde_json::from_slice(&self.post("query_daily/runs", &asked)?)?;
        let run = run["run_id"].as_str().context("a run has no id")?.to_owned();
        let deadline = Instant::now() + PATIENCE;
        loop {
            let found: Value = serde_json::from_slice(&self.get(&format!("runs/{run}"))?)?;
            match found["status"].as_str() {
                Some("queued" | "running") => {}
                Some("succeeded") => {
                    let rows = found["total_rows"].as_u64();
                    ensure!(rows == Some(MOST_ROWS.into()), "the report has {rows:?} rows");
                    return Ok(run);
                }
                _ => bail!("the report is not made: {found}"),
            }
            ensure!(Instant::now() < deadline, "the report is not made in time");
            thread::sleep(LOOK_EVERY);
        }
    }

    /// How long each page takes, in milliseconds. All rows have to come.
    fn pages(&mut self, run: &str) -> Result<Vec<f64>> {
        let all = usize::try_from(MOST_ROWS)?;
        let mut times = Vec::new();
        for offset in (0..all).step_by(PAGE) {
            let began = Instant::now();
            let page = self.get(&format!("runs/{run}/rows?limit={PAGE}&offset={offset}"))?;
            times.push(began.elapsed().as_secs_f64() * 1e3);
            let page: Value = serde_json::from_slice(&page)?;
            let rows = page["items"].as_array().map_or(0, Vec::len);
            ensure!(
                rows == PAGE.min(all - offset),
                "the page from row {offset} on has {rows} rows"
            );
            eprintln!("  {} of {all} rows", offset + rows);
        }
        Ok(times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_property_has_as_many_rows_as_a_report_keeps() {
        let day = day();
        let days = usize::try_from(DAYS).unwrap();
        assert_eq!(day.queries.len() * days, usize::try_from(MOST_ROWS).unwrap());
        let names: std::collections::BTreeSet<_> = day.queries.iter().map(|row| &row.value).collect();
        assert_eq!(names.len(), QUERIES, "each is a row of its own");
    }
}
