//! `pharos admin job`

use clap::Subcommand;
use pharos_domain::{
    ids::{JobId, WorkspaceId},
    jobs::{JobAdmin, JobFilter, JobState},
};

use super::{Answer, Desk};

/// Manage jobs.
#[derive(Debug, Subcommand)]
pub enum JobCommand {
    /// List jobs, the newest first. Succeeded ones are kept for 7 days, dead ones for 90.
    List {
        /// Only those in this state: queued, running, succeeded or dead.
        #[arg(long)]
        state: Option<JobState>,
        /// Only those of this kind, such as uptime_check.
        #[arg(long)]
        kind: Option<String>,
        /// Only those of this workspace.
        #[arg(long, value_name = "ID")]
        workspace: Option<WorkspaceId>,
        /// Only those that were asked for before this job.
        #[arg(long, value_name = "JOB")]
        before: Option<JobId>,
        /// How many at most.
        #[arg(long, default_value_t = 100, value_name = "NUMBER")]
        limit: u32,
    },
    /// Have a dead job tried again, as often as a new one.
    Retry {
        /// The job.
        job: JobId,
    },
}

pub(super) async fn run(command: JobCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let jobs = desk.ports.get::<dyn JobAdmin>()?;
    match command {
        JobCommand::List {
            state,
            kind,
            workspace,
            before,
            limit,
        } => {
            let filter = JobFilter {
                state,
                kind,
                workspace,
                before,
                limit,
            };
            Answer::new(jobs.list(&filter).await?)
        }
        JobCommand::Retry { job } => Answer::new(jobs.retry(job, &desk.actor, desk.now).await?),
    }
}
