//! `pharos admin plan`

use std::{
    collections::{BTreeMap, HashSet},
    str::FromStr,
};

use clap::Subcommand;
use pharos_account::admin::plans::{Plan, PlanAdmin, check};
use pharos_domain::{module::Module, quota::QuotaResource};

use super::{Answer, Desk};

/// Manage plans.
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
        /// A limit that credits do not replace, such as report_templates=5, or =unlimited; left out: unlimited.
        /// The resources are inspector_urls (a UTC day), synthetic_runs (a calendar month), and tracked_urls_crux,
        /// tracked_urls_synthetic, monitored_urls_indexing, report_templates (how many there may be).
        #[arg(long = "quota", value_name = "RESOURCE=LIMIT")]
        quotas: Vec<QuotaChoice>,
    },
    /// List all plans.
    List,
}

/// The limit that a plan sets for one resource, as `--quota` takes it.
#[derive(Clone, Copy, Debug)]
pub struct QuotaChoice {
    resource: QuotaResource,
    /// `None`: unlimited.
    limit: Option<i64>,
}

impl FromStr for QuotaChoice {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (resource, limit) = text
            .split_once('=')
            .ok_or_else(|| anyhow::anyhow!("not RESOURCE=LIMIT, such as report_templates=5"))?;
        let limit =
            match limit {
                "unlimited" => None,
                number => Some(number.parse().map_err(|_| {
                    anyhow::anyhow!("{number:?} is neither a whole number nor \"unlimited\"")
                })?),
            };
        Ok(Self {
            resource: resource.parse()?,
            limit,
        })
    }
}

/// The quotas of a plan, each named once.
fn limits(choices: Vec<QuotaChoice>) -> anyhow::Result<BTreeMap<QuotaResource, i64>> {
    let mut named = HashSet::new();
    let mut limits = BTreeMap::new();
    for QuotaChoice { resource, limit } in choices {
        anyhow::ensure!(named.insert(resource), "the quota {resource} is named twice");
        limits.extend(limit.map(|limit| (resource, limit)));
    }
    Ok(limits)
}

pub(super) async fn run(command: PlanCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let plans = desk.ports.get::<dyn PlanAdmin>()?;
    match command {
        PlanCommand::Put {
            key,
            name,
            credits,
            modules,
            quotas,
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
                quotas: limits(quotas)?,
            };
            check(&plan)?;
            Answer::new(plans.put(&plan, &desk.actor, desk.now).await?)
        }
        PlanCommand::List => Answer::new(plans.list().await?),
    }
}
