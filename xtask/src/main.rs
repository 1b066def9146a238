//! The tasks of this repository, run as `cargo xtask <task>`.

mod bench;
mod bring;
mod browser;
mod build;
mod build_times;
mod cargo;
mod children;
mod client_data;
mod host;
mod layers;
mod nginx;
mod openapi;
mod postgres;
mod promtool;
mod python;
mod redis;
#[cfg(test)]
mod script;
mod steps;
mod test;
mod tracker;
mod up;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The tasks of this repository.
///
/// `up`, `test` and `bench` need nothing prepared but Rust: they bring the servers that they need where those are missing.
/// The others read the sources, or what a build left; they need no database and no environment.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Up(up::Args),
    Test(test::Args),
    Bench(bench::Args),
    Layers(layers::Args),
    OpenapiCheck(openapi::CheckArgs),
    ClientData(client_data::Args),
    Tracker(tracker::Args),
    /// Say which crates took longest to build, by the report that `cargo build --timings` left
    BuildTimes,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().task {
        Task::Up(args) => up::run(&args).map(|()| ExitCode::SUCCESS),
        Task::Test(args) => test::run(&args),
        Task::Bench(args) => bench::run(&args),
        Task::Layers(args) => layers::run(&args).map(|()| ExitCode::SUCCESS),
        Task::ClientData(args) => client_data::run(&args),
        Task::OpenapiCheck(args) => openapi::check(&args).map(|()| ExitCode::SUCCESS),
        Task::Tracker(args) => tracker::run(&args),
        Task::BuildTimes => build_times::run().map(|()| ExitCode::SUCCESS),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
