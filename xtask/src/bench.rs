//! `cargo xtask bench NAME`: figures, measured on this machine.

use std::{ffi::OsString, path::PathBuf, process::ExitCode};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::{build, cargo, children::Children, host::Host, postgres, python, redis, steps::Steps};

/// Measure what Pharos costs above what it is made of.
///
/// Brings PostgreSQL and Redis where they are missing (with apt, as root or through sudo), builds what is measured
/// as it is released, and runs it on servers of its own in a temporary folder. Each figure is printed with its
/// targets. `cargo xtask bench NAME -- --help` says what can be chosen.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The bench to run
    #[arg(value_name = "NAME")]
    bench: Bench,
    /// Further arguments, --json among them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    rest: Vec<OsString>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Bench {
    /// Alert rules: 10,000 on 1,000 domains
    Alerts,
    /// Visits: reads of a site with many sessions
    Analytics,
    /// Beacons: taken and stored
    Collect,
    /// The console: the overview of many domains
    Console,
    /// Lab tests: reads of a year of many pages
    Lab,
    /// The MCP server: a tool beside its operation, and the memory of sessions
    Mcp,
    /// The way of a request: gates, limits, cache, charge
    Pipeline,
    /// Reads of a year beside reads of a month
    Reads,
    /// A report as PDF: its time, and the memory that it takes
    Reports,
    /// The way of a check: 10,000 monitors a minute
    Scheduler,
    /// Search: a property with millions of rows, a large report, a domain with 50,000 inspected URLs
    Search,
    /// Sitemaps with many pages: read, compared, stored
    Sitemap,
    /// Mixed traffic on two nodes, with kills, an upgrade and a slow database in it
    Soak,
    /// Access and refresh tokens: issued, and checked
    Token,
    /// Percentiles of many views
    Vitals,
}

impl Bench {
    const fn name(self) -> &'static str {
        match self {
            Self::Alerts => "alerts",
            Self::Analytics => "analytics",
            Self::Collect => "collect",
            Self::Console => "console",
            Self::Lab => "lab",
            Self::Mcp => "mcp",
            Self::Pipeline => "pipeline",
            Self::Reads => "reads",
            Self::Reports => "reports",
            Self::Scheduler => "scheduler",
            Self::Search => "search",
            Self::Sitemap => "sitemap",
            Self::Soak => "soak",
            Self::Token => "token",
            Self::Vitals => "vitals",
        }
    }

    /// Whether it measures the program `pharos` itself.
    const fn runs_pharos(self) -> bool {
        matches!(
            self,
            Self::Console | Self::Mcp | Self::Scheduler | Self::Search | Self::Soak
        )
    }

    /// Whether its base is a library of Python.
    const fn needs_python(self) -> bool {
        matches!(self, Self::Sitemap)
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let host = Host::this();
    let mut steps = Steps::new(if args.bench.needs_python() { 5 } else { 4 });
    let postgres = steps.run(
        "Looking for PostgreSQL",
        || {
            build::check_linker(&host)?;
            postgres::bring(&host)
        },
        |found| format!("PostgreSQL {} in {}", found.version, found.folder.display()),
    )?;
    let redis = steps.run(
        "Looking for Redis",
        || redis::bring(&host),
        |found| format!("Redis {}, {}", found.version, found.file.display()),
    )?;
    let python = if args.bench.needs_python() {
        let found = steps.run(
            "Looking for Python",
            || python::bring(&host, &python::BENCHES),
            |found| format!("Python {}", found.version),
        )?;
        Some(found.python)
    } else {
        None
    };
    let (program, pharos) = steps.run(
        "Building with all optimisations: minutes the first time",
        || build(args.bench),
        |(program, _)| format!("built {}", program.display()),
    )?;
    let children = Children::watched()?;
    steps.begin(&format!("Running the bench {}", args.bench.name()));
    let mut command = std::process::Command::new(program);
    command
        .current_dir(cargo::root())
        .arg(args.bench.name())
        .args(&args.rest)
        .arg("--redis-server")
        .arg(redis.file)
        .arg("--postgres-bin")
        .arg(postgres.folder);
    if let Some(pharos) = pharos {
        command.arg("--pharos").arg(pharos);
    }
    if let Some(python) = python {
        command.arg("--python").arg(python);
    }
    let status = children.run(&mut command).context("the bench did not start")?;
    Ok(children.exit_code(status))
}

/// Builds the bench, and `pharos` where it is run.
fn build(bench: Bench) -> Result<(PathBuf, Option<PathBuf>)> {
    let mut arguments = vec!["--profile", "bench-server", "-p", "pharos-bench"];
    if !bench.runs_pharos() {
        return Ok((build::build(&arguments, "pharos-bench")?, None));
    }
    // Together, since apart they would be built with different features, and so twice.
    arguments.extend(["-p", "pharos-server"]);
    if matches!(bench, Bench::Mcp) {
        // It lies beside `pharos`, where the bench looks for it.
        arguments.extend(["-p", "pharos-mcp"]);
    }
    let program = build::build(&arguments, "pharos-bench")?;
    Ok((program, Some(build::build(&arguments, "pharos")?)))
}
