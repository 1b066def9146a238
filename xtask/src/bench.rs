//! `cargo xtask bench NAME`: ratios, measured on this machine.

use std::{ffi::OsString, process::ExitCode};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::{build, cargo, children::Children, host::Host, postgres, redis, steps::Steps};

/// Measure what Pharos costs above what it is made of.
///
/// Brings PostgreSQL and Redis where they are missing (with apt, as root or through sudo), builds what is measured
/// as it is released, and runs it on servers of its own in a temporary folder. Only ratios mean anything; each is
/// printed with its targets. `cargo xtask bench NAME -- --help` says what can be chosen.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to measure
    #[arg(value_name = "NAME")]
    bench: Bench,
    /// Further arguments, --json among them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    rest: Vec<OsString>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Bench {
    /// The way of a request: gates, limits, cache, charge
    Pipeline,
}

impl Bench {
    const fn name(self) -> &'static str {
        match self {
            Self::Pipeline => "pipeline",
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let host = Host::this();
    let mut steps = Steps::new(4);
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
    let program = steps.run(
        "Building the bench with all optimisations: minutes the first time",
        || {
            build::build(
                &["--profile", "bench-server", "-p", "pharos-bench"],
                "pharos-bench",
            )
        },
        |program| format!("built {}", program.display()),
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
    let status = children.run(&mut command).context("the bench did not start")?;
    Ok(children.exit_code(status))
}
