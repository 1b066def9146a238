//! The parts of Pharos that a node can run.

use serde::{Deserialize, Serialize};

/// A part of Pharos that a node can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Answers the public API.
    Api,
    /// Takes beacons from browsers and servers.
    Ingest,
    /// Runs the checks of this node's region, and keeps registrations up to date.
    Scheduler,
    /// Does the jobs of this node's region, and those of none.
    Worker,
    /// Does lab tests, by a worker of their own, where Chromium and Node.js are found.
    Lab,
    /// Answers assistants (MCP), by calls of the API.
    Mcp,
}
