//! `cargo xtask bench console`: how long the overview of a workspace with many domains takes, and how much it weighs.

use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use diesel::{
    sql_query,
    sql_types::{Binary, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_auth::{secret::Secret, sign_in::session::SESSION_PREFIX};
use pharos_domain::{audit::Actor, ids::WorkspaceId};
use time::OffsetDateTime;

use crate::{
    compared::{Figure, Finding, Measured, Measuring, Others, Target, order},
    exchange::Wire,
    interrupt, machine,
    process::Process,
    reads,
    report::Report,
    runtime,
    services::{Programs, Services},
    statistics::middle_and_range,
    world,
};

const BENCH: &str = "console";
/// How often each page is asked for in a round.
const REPEATS: u32 = 20;
/// The most milliseconds that a page may take.
const MOST_MS: f64 = 150.0;
/// The most that a page may weigh, in kB.
const MOST_KB: f64 = 100.0;

/// The pages: a name, the query of the address, and the words that it can't be without.
const PAGES: [(&str, &str, &str); 4] = [
    ("overview", "", "Certificate ends"),
    ("last-page", "?page=9999", "site-"),
    ("slowest-first", "?sort=response", "site-"),
    ("found", "?q=site-99", "site-99"),
];

/// The overview of a workspace with many domains
///
/// Makes one workspace with a month of uptime of each domain, and asks a node as it is released for its overview, one request after
/// the other: the first page, the last one, sorted by response, and what a search finds.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many domains there are
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u16).range(100..=2_000))]
    domains: u16,
    #[command(flatten)]
    measuring: Measuring,
}

/// Measures and prints. Fails when a page can't be measured, or lacks what it has to show; a target that is missed is no failure.
pub(crate) fn run(args: &Args, programs: &Programs, report: &Report) -> Result<()> {
    let services = Services::start(programs)?;
    let url = services.database_url();
    let runtime = runtime::of_this_thread()?;
    let reader = runtime.block_on(prepare(url, usize::from(args.domains)))?;
    let node = Process::api(&programs.pharos, url)?;
    report.text(&format!(
        "{} cores for the bench, a node and PostgreSQL {} with fsync; {} domains of one workspace, each with a month of uptime and \
         a check a minute since yesterday; {REPEATS} requests of each page in each of {} rounds; medians, [ranges]\n",
        machine::cores(),
        services.postgres_version(),
        args.domains,
        args.measuring.rounds,
    ))?;
    for finding in reader.pages(&node, args.measuring.rounds)? {
        finding.print(BENCH, report)?;
    }
    Ok(())
}

/// Makes the workspace with its domains and their past, and signs its owner in.
async fn prepare(url: &str, domains: usize) -> Result<Reader> {
    let ports = world::found(url).await?;
    let (actor, now) = (Actor::command_line("bench"), OffsetDateTime::now_utc());
    let (workspace, owner) = world::workspace(&ports, 0, &actor, now).await?;
    eprintln!("making {domains} domains");
    let began = Instant::now();
    for at in 0..domains {
        if interrupt::came() {
            bail!("interrupted");
        }
        world::domain(&ports, workspace, at, &actor, now).await?;
    }
    eprintln!("filling their past, {:.0} s", began.elapsed().as_secs_f64());
    let mut connection = AsyncPgConnection::establish(url).await?;
    reads::data::fill_month(&mut connection, url, now).await?;
    let session = Secret::generate(SESSION_PREFIX)?;
    sql_query("INSERT INTO sessions (digest, user_id, signed_in_at, last_used_at) VALUES ($1, $2, $3, $3)")
        .bind::<Binary, _>(session.digest().0.to_vec())
        .bind::<SqlUuid, _>(owner.0)
        .bind::<Timestamptz, _>(OffsetDateTime::now_utc())
        .execute(&mut connection)
        .await?;
    eprintln!("all is there, {:.0} s", began.elapsed().as_secs_f64());
    Ok(Reader { workspace, session })
}

/// Whoever has signed in.
struct Reader {
    workspace: WorkspaceId,
    session: Secret,
}

impl Reader {
    fn request(&self, query: &str) -> Vec<u8> {
        format!(
            "GET /console/w/{}{query} HTTP/1.1\r\nhost: localhost\r\ncookie: pharos_session={}\r\n\r\n",
            self.workspace,
            self.session.reveal()
        )
        .into_bytes()
    }

    /// How long each page takes, and how much the heaviest weighs.
    fn pages(&self, node: &Process, rounds: u32) -> Result<Vec<Finding>> {
        let mut wire = Wire::open(node.address)?;
        let requests: Vec<Vec<u8>> = PAGES.iter().map(|(_, query, _)| self.request(query)).collect();
        let mut heaviest = 0;
        // PostgreSQL has read what it needs from here on.
        for (request, (name, _, words)) in requests.iter().zip(PAGES) {
            let reply = wire.ask(request).with_context(|| name.to_owned())?;
            let page = String::from_utf8_lossy(&reply.body);
            ensure!(page.contains(words), "{name} has no {words:?}");
            heaviest = heaviest.max(reply.body.len());
        }
        let mut times = vec![Vec::new(); PAGES.len()];
        let others = Others::from_here()?;
        for round in 0..rounds {
            for at in order(PAGES.len(), round) {
                times[at].push(time(&mut wire, &requests[at])?);
            }
            eprintln!("  pages, round {} of {rounds}", round + 1);
        }
        let others = others.took()?;
        let weight = Finding {
            figure: Figure {
                name: "weight".to_owned(),
                title: "the heaviest of these pages, not compressed".to_owned(),
                target: Target::AtMost(MOST_KB),
            },
            measured: Measured::Alone(vec![heaviest as f64 / 1024.0], "kB"),
            others,
        };
        let findings = PAGES.iter().zip(times).map(|((name, query, _), times)| Finding {
            figure: Figure {
                name: (*name).to_owned(),
                title: format!("the overview{query}"),
                target: Target::AtMost(MOST_MS),
            },
            measured: Measured::Alone(times, "ms"),
            others,
        });
        Ok(findings.chain([weight]).collect())
    }
}

/// How long a page takes, in milliseconds: the median.
fn time(wire: &mut Wire, request: &[u8]) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..REPEATS {
        if interrupt::came() {
            bail!("interrupted");
        }
        let began = Instant::now();
        wire.ask(request)?;
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    Ok(middle_and_range(&mut times).0)
}
