//! `pharos admin plan`

use clap::Subcommand;
use pharos_account::admin::plans::{Plan, check};
use pharos_domain::module::Module;

use super::{Answer, Desk};

/// What to do with plans.
#[derive(Debug, Subcommand)]
pub enum PlanCommand {
    /// Create a plan, or replace what it holds.
    Put {
        /// Its key: a-z, 0-9 and hyphens.
        key: String,
        /// Its name.
        #[arg(long)]
        name: String,
        /// The credits of a monthly cycle.
        #[arg(long, default_value_t = 1_000_000)]
        credits: i64,
        /// Its modules, with commas between; left out: all.
        #[arg(long, value_delimiter = ',')]
        modules: Option<Vec<Module>>,
    },
    /// List all plans.
    List,
}

pub(super) async fn run(command: PlanCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let plans = &desk.stores.plans;
    match command {
        PlanCommand::Put {
            key,
            name,
            credits,
            modules,
        } => {
            let all = || {
                Module::ALL
                    .iter()
                    .copied()
                    .filter(|module| !module.is_in_every_plan())
                    .collect()
            };
            let plan = Plan {
                key,
                name,
                credits_per_cycle: credits,
                modules: modules.unwrap_or_else(all),
            };
            check(&plan)?;
            Answer::new(plans.put(&plan, &desk.actor, desk.now).await?)
        }
        PlanCommand::List => Answer::new(plans.list().await?),
    }
}
