#![doc = include_str!("../README.md")]

mod alerts;
mod analytics;
mod asked;
mod collect;
mod compared;
mod console;
mod daybreak;
mod exchange;
mod interrupt;
mod lab;
mod ledger;
mod load;
mod machine;
mod mcp;
mod pipeline;
mod process;
mod reads;
mod report;
mod reports;
mod response;
mod runtime;
mod scheduler;
mod search;
mod serve;
mod server;
mod services;
mod sitemap;
mod soak;
mod statistics;
mod token;
mod vitals;
mod world;

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};
use mimalloc::MiMalloc;

/// The allocator of `pharos`; the bases have it too.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Benches of Pharos. Run them as `cargo xtask bench`, which brings what they need and builds them.
#[derive(Parser)]
#[command(
    name = "pharos-bench",
    bin_name = "cargo xtask bench",
    version,
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    bench: Bench,
    /// The program of the Redis server
    #[arg(long, global = true, value_name = "FILE", default_value = "redis-server")]
    redis_server: PathBuf,
    /// The folder of PostgreSQL's programs; by default they are looked for
    #[arg(long, global = true, value_name = "FOLDER")]
    postgres_bin: Option<PathBuf>,
    /// The program `pharos`
    #[arg(long, global = true, value_name = "FILE", default_value = "pharos")]
    pharos: PathBuf,
    /// A Python with the packages of benches/requirements.txt
    #[arg(long, global = true, value_name = "FILE", default_value = "python3")]
    python: PathBuf,
    /// Print one JSON object a figure
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Bench {
    Alerts(alerts::Args),
    Analytics(analytics::Args),
    Collect(collect::Args),
    Console(console::Args),
    Lab(lab::Args),
    Mcp(mcp::Args),
    Pipeline(pipeline::Args),
    Reads(reads::Args),
    Reports(reports::Args),
    Scheduler(scheduler::Args),
    Search(search::Args),
    Sitemap(sitemap::Args),
    Soak(soak::Args),
    Token(token::Args),
    Vitals(vitals::Args),
    /// The server of one side of a figure
    #[command(hide = true)]
    Serve {
        variant: serve::Variant,
    },
    /// The sites that the scheduler checks
    #[command(hide = true)]
    Target(scheduler::target::Args),
    /// The site whose sitemaps are read
    #[command(hide = true)]
    SitemapSite(sitemap::site::Args),
    /// Whoever reads them
    #[command(hide = true)]
    SitemapRead(sitemap::reader::Args),
}

fn main() -> ExitCode {
    let Cli {
        bench,
        redis_server,
        postgres_bin,
        pharos,
        python,
        json,
    } = Cli::parse();
    let programs = services::Programs {
        redis_server,
        postgres_bin,
        pharos,
        python,
    };
    let report = report::Report::new(json);
    let outcome = match bench {
        Bench::Serve { variant } => serve::run(variant).map(|()| ExitCode::SUCCESS),
        Bench::Target(args) => scheduler::target::run(&args).map(|()| ExitCode::SUCCESS),
        Bench::SitemapSite(args) => sitemap::site::run(&args).map(|()| ExitCode::SUCCESS),
        Bench::SitemapRead(args) => sitemap::reader::run(&args).map(|()| ExitCode::SUCCESS),
        Bench::Alerts(args) => interrupt::watched(|| alerts::run(&args, &programs, &report)),
        Bench::Analytics(args) => interrupt::watched(|| analytics::run(&args, &programs, &report)),
        Bench::Collect(args) => interrupt::watched(|| collect::run(&args, &programs, &report)),
        Bench::Console(args) => interrupt::watched(|| console::run(&args, &programs, &report)),
        Bench::Lab(args) => interrupt::watched(|| lab::run(&args, &programs, &report)),
        Bench::Mcp(args) => interrupt::watched(|| mcp::run(&args, &programs, &report)),
        Bench::Pipeline(args) => interrupt::watched(|| pipeline::run(&args, &programs, &report)),
        Bench::Reads(args) => interrupt::watched(|| reads::run(&args, &programs, &report)),
        Bench::Reports(args) => interrupt::watched(|| reports::run(&args, &programs, &report)),
        Bench::Sitemap(args) => interrupt::watched(|| sitemap::run(&args, &programs, &report)),
        Bench::Soak(args) => interrupt::watched(|| soak::run(&args, &programs, &report)),
        Bench::Scheduler(args) => interrupt::watched(|| scheduler::run(&args, &programs, &report)),
        Bench::Search(args) => interrupt::watched(|| search::run(&args, &programs, &report)),
        Bench::Token(args) => interrupt::watched(|| token::run(&args, &programs, &report)),
        Bench::Vitals(args) => interrupt::watched(|| vitals::run(&args, &programs, &report)),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn benches_share_their_arguments_and_have_their_own_number_of_rounds() {
        for (bench, rounds) in [
            ("analytics", 5),
            ("lab", 5),
            ("pipeline", 40),
            ("reads", 9),
            ("sitemap", 3),
            ("token", 5),
            ("vitals", 9),
        ] {
            let matches = Cli::command()
                .try_get_matches_from(["pharos-bench", bench, "--json"])
                .unwrap();
            let (_, found) = matches.subcommand().unwrap();
            let found = (found.get_one::<u32>("rounds"), found.get_flag("json"));
            assert_eq!(found, (Some(&rounds), true), "{bench}");
        }
    }
}
