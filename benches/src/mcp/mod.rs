//! `cargo xtask bench mcp`: what a tool costs above its operation, and how much memory sessions take.

use std::{net::SocketAddr, path::Path, thread, time::Instant};

use anyhow::{Result, anyhow, bail, ensure};
use pharos_domain::ids::DomainId;
use pharos_http::spec::BASE_PATH;
use serde_json::{Value, json};

use crate::{
    compared::{Figure, Finding, Measured, Measuring, Others, Target, order},
    exchange::Wire,
    interrupt, machine,
    process::{Process, command, free_address, listens},
    report::Report,
    runtime,
    services::{Programs, Services},
    statistics::middle_and_range,
    world::World,
};

const BENCH: &str = "mcp";
/// How often each side is asked in a round. A round has a key of its own, which may ask 600 times a minute.
const REPEATS: u32 = 200;
/// How many times as long as the operation a tool may take.
const TOOL: f64 = 1.5;
/// The keys of the sessions.
const KEYS: usize = 50;
/// The messages of a session.
const STEPS: usize = 3;
/// How many sessions ask at once.
const AT_ONCE: usize = 100;
/// The most that all sessions may take, in MB.
const MEMORY: f64 = 200.0;

/// The cost of a tool above that of its one operation, and the memory that sessions take
///
/// Runs a node that answers, and `pharos-mcp` in front of it, as they are released. One key reads the settings of a monitor, by the
/// API and by the tool `call_operation`, in turn, one request after the other. Then sessions are opened, all of which stay open
/// while each lists the tools and calls one, 100 at a time; the figure is the most that `pharos-mcp` ever held.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many sessions
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u16).range(1..=900))]
    sessions: u16,
    #[command(flatten)]
    measuring: Measuring,
}

/// Measures and prints. Fails when a figure can't be measured, or an answer is wrong; a target that is missed is no failure.
pub(crate) fn run(args: &Args, programs: &Programs, report: &Report) -> Result<()> {
    let services = Services::start(programs)?;
    let rounds = usize::try_from(args.measuring.rounds)?;
    let runtime = runtime::of_this_thread()?;
    let world = runtime.block_on(World::create(services.database_url(), 10, rounds + KEYS))?;
    let callers: Vec<Caller<'_>> = world
        .callers()
        .map(|(secret, domain)| Caller { secret, domain })
        .collect();
    let (of_rounds, of_sessions) = callers.split_at(rounds);
    let api = Process::api(&programs.pharos, services.database_url())?;
    let mcp = in_front_of(api.address, &programs.pharos.with_file_name("pharos-mcp"))?;
    report.text(&format!(
        "{} cores for the bench, a node, the MCP server and PostgreSQL {} with fsync; {REPEATS} requests of each side in each of \
         {rounds} rounds; medians, [ranges]\n",
        machine::cores(),
        services.postgres_version(),
    ))?;
    tool(of_rounds, api.address, mcp.address)?.print(BENCH, report)?;
    sessions(of_sessions, args.sessions.into(), &mcp)?.print(BENCH, report)
}

/// `pharos-mcp serve`, for the node at that address.
fn in_front_of(api: SocketAddr, program: &Path) -> Result<Process> {
    let address = free_address()?;
    let mut command = command(program);
    command
        .args(["--url", &format!("http://{api}")])
        .args(["--resource", &format!("http://{address}/mcp")])
        .args(["serve", "--listen", &address.to_string()])
        .env("PHAROS_LOG", "warn");
    Process::start(&mut command, address, listens)
}

/// Whoever asks, with a key for a domain.
struct Caller<'a> {
    secret: &'a str,
    domain: DomainId,
}

impl Caller<'_> {
    /// The operation, asked of the API.
    fn operation(&self) -> Vec<u8> {
        format!(
            "GET {BASE_PATH}/domains/{}/uptime/config HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\
             accept: application/json\r\n\r\n",
            self.domain, self.secret
        )
        .into_bytes()
    }

    /// The same, asked of the MCP server.
    fn tool(&self) -> Vec<u8> {
        let arguments = json!({
            "operation_id": "getUptimeConfig",
            "parameters": { "domain_id": self.domain.to_string() },
        });
        let params = json!({ "name": "call_operation", "arguments": arguments });
        self.message("tools/call", &params)
    }

    /// The messages of a session, in this order.
    fn session(&self) -> [Vec<u8>; STEPS] {
        let initialize = json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "bench", "version": "1" },
        });
        [
            self.message("initialize", &initialize),
            self.message("tools/list", &json!({})),
            self.tool(),
        ]
    }

    /// A message to the MCP server.
    fn message(&self, method: &str, params: &Value) -> Vec<u8> {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        format!(
            "POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\
             accept: application/json, text/event-stream\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{message}",
            self.secret,
            message.len()
        )
        .into_bytes()
    }
}

/// How long an answer takes, in milliseconds: the median. Each has to show what was asked for.
fn time(wire: &mut Wire, request: &[u8]) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..REPEATS {
        if interrupt::came() {
            bail!("interrupted");
        }
        let began = Instant::now();
        let reply = wire.ask(request)?;
        times.push(began.elapsed().as_secs_f64() * 1e3);
        let body = String::from_utf8_lossy(&reply.body);
        ensure!(
            body.contains("\"interval_seconds\":"),
            "the answer has no settings: {body}"
        );
    }
    Ok(middle_and_range(&mut times).0)
}

/// A tool of one operation, beside the operation.
fn tool(callers: &[Caller<'_>], api: SocketAddr, mcp: SocketAddr) -> Result<Finding> {
    let others = Others::from_here()?;
    let mut wires = [Wire::open(api)?, Wire::open(mcp)?];
    let mut times = [Vec::new(), Vec::new()];
    for (round, caller) in (0_u32..).zip(callers) {
        let requests = [caller.operation(), caller.tool()];
        // The credential is known from here on, and the MCP server has read the operations.
        for (wire, request) in wires.iter_mut().zip(&requests) {
            wire.ask(request)?;
        }
        for side in order(2, round) {
            times[side].push(time(&mut wires[side], &requests[side])?);
        }
        eprintln!("  tools, round {} of {}", round + 1, callers.len());
    }
    Ok(Finding {
        figure: Figure {
            name: "tool".to_owned(),
            title: "a tool of one operation, of the operation over HTTP".to_owned(),
            target: Target::AtMost(TOOL),
        },
        measured: Measured::AsLong(times),
        others: others.took()?,
    })
}

/// Sessions that are open at once.
fn sessions(callers: &[Caller<'_>], count: usize, mcp: &Process) -> Result<Finding> {
    let others = Others::from_here()?;
    let mut wires = Vec::with_capacity(count);
    for _ in 0..count {
        wires.push(Wire::open(mcp.address)?);
    }
    let messages: Vec<[Vec<u8>; STEPS]> = callers.iter().map(Caller::session).collect();
    for step in 0..STEPS {
        let callers = messages.iter().cycle().take(count);
        let requests: Vec<&[u8]> = callers.map(|messages| messages[step].as_slice()).collect();
        for (wires, requests) in wires.chunks_mut(AT_ONCE).zip(requests.chunks(AT_ONCE)) {
            if interrupt::came() {
                bail!("interrupted");
            }
            at_once(wires, requests)?;
        }
    }
    let most = machine::most_memory(mcp.id())?;
    Ok(Finding {
        figure: Figure {
            name: "sessions".to_owned(),
            title: format!("memory of the MCP server with {count} sessions"),
            target: Target::AtMost(MEMORY),
        },
        measured: Measured::Alone(vec![most as f64 / 1e6], "MB"),
        others: others.took()?,
    })
}

/// Has each of these connections ask its request at the same time.
fn at_once(wires: &mut [Wire], requests: &[&[u8]]) -> Result<()> {
    thread::scope(|scope| {
        let mut asked = Vec::with_capacity(wires.len());
        for (wire, request) in wires.iter_mut().zip(requests) {
            asked.push(scope.spawn(move || wire.ask(request)));
        }
        for asked in asked {
            let reply = asked.join().map_err(|_| anyhow!("a session broke"))??;
            let answer: Value = serde_json::from_slice(&reply.body)?;
            ensure!(answer.get("result").is_some(), "a session is refused: {answer}");
        }
        Ok(())
    })
}
