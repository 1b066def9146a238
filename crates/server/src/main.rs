//! The binary `pharos`.

use std::process::ExitCode;

use mimalloc::MiMalloc;
use pharos_server::{help, run::run, sentence::sentence};

/// Each request allocates often, on one thread what another frees; this allocator is made for that.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    match run(help::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("pharos: {}", sentence(&error));
            ExitCode::FAILURE
        }
    }
}
