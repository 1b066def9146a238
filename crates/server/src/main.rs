//! The binary `pharos`.

use std::process::ExitCode;

use clap::Parser;
use pharos_server::{cli::Cli, run::run};

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("pharos: {error:#}");
            ExitCode::FAILURE
        }
    }
}
