//! The experiment of the demo: whether a shorter title brought more visitors to a product.

use std::sync::Arc;

use anyhow::{Context, bail};
use pharos_analytics::experiments::{
    Design, Evaluation, ExperimentDraft, ExperimentMethod, ExperimentMetric, ExperimentStore, NewEvaluation,
};
use pharos_domain::{
    audit::Actor,
    credits::{Charged, Keyed, Note, Slip, StoredAnswer},
    identity::DomainAccess,
    module::Module,
    ports::Ports,
    ranking_updates::RankingUpdates,
};
use serde_json::json;
use time::{Date, Duration, OffsetDateTime};

use super::{
    history::RETITLED,
    shop::goods::{GOODS, retitled},
};

const NAME: &str = "Shorter title of a lamp";
/// How many days before the change are compared: whole weeks, all of which the history has.
const DAYS_BEFORE: i64 = 56;

/// The design on a day: the product against all others, from the day of the change on.
fn draft(today: Date) -> ExperimentDraft {
    let changed = today.saturating_sub(Duration::days(RETITLED.into()));
    let variant = retitled().id;
    let page = |id: &str| format!("/product/{id}");
    let others = GOODS.iter().filter(|good| good.id != variant);
    ExperimentDraft {
        name: NAME.to_owned(),
        hypothesis: Some(
            "The search brings more visitors to it. Made by the demo: nobody made these visits.".to_owned(),
        ),
        design: Design {
            method: ExperimentMethod::Did,
            metric: ExperimentMetric::Visitors,
            control_urls: others.map(|good| page(good.id)).collect(),
            variant_urls: vec![page(variant)],
            pre_start: Some(changed.saturating_sub(Duration::days(DAYS_BEFORE))),
            pre_end: changed.saturating_sub(Duration::DAY),
            post_start: changed,
            post_end: None,
        },
    }
}

/// Makes the experiment of a shop that has it not yet, and evaluates it by the days that are over. One that an earlier start made and
/// could not evaluate is evaluated now.
///
/// # Errors
/// A port is missing, or the store failed.
pub(super) async fn conclude(ports: &Ports, shop: &DomainAccess, now: OffsetDateTime) -> anyhow::Result<()> {
    let experiments = ports.get::<dyn ExperimentStore>()?;
    let slip = || Arc::new(Slip::noting(note(shop, now)));
    let known = experiments.list(shop).await?;
    let made = match known.into_iter().find(|known| known.settings.name == NAME) {
        Some(made) if made.latest_evaluation_id.is_some() => return Ok(()),
        Some(made) => made,
        None => {
            let settings = match draft(now.date()).settings() {
                Ok(settings) => settings,
                Err(faults) => bail!("the demo's experiment can't be: {faults:?}"),
            };
            let noted = Charged::new(shop.clone(), slip());
            let made = experiments.create(&noted, &settings, now).await;
            made.context("the demo's experiment")?
        }
    };
    let design = &made.settings.design;
    let panel = experiments.panel(shop, design).await?;
    let updates = ports.get::<dyn RankingUpdates>()?;
    let NewEvaluation { evaluation, job } = NewEvaluation::completed(&made, &panel, &*updates, now);
    let noted = Keyed::new(shop.clone(), slip());
    // Nobody asks for the answer again.
    let answer = |_: &Evaluation| StoredAnswer {
        status: 200,
        body: b"{}".as_slice().into(),
    };
    let evaluated = experiments.evaluate(&noted, &evaluation, design, job.as_ref(), &answer);
    let evaluated = evaluated
        .await
        .context("the evaluation of the demo's experiment")?;
    evaluated
        .map(drop)
        .context("the demo's experiment was changed meanwhile")
}

fn note(shop: &DomainAccess, now: OffsetDateTime) -> Note {
    Note {
        actor: Actor::system(),
        at: now,
        action: "domain.configure",
        subject: shop.id().to_string(),
        details: json!({
            "module": Module::Analytics,
            "experiment": NAME,
            "workspace_id": shop.workspace().workspace().id,
            "domain": shop.domain().hostname.as_str()
        }),
    }
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;
    use crate::demo::history::DAYS;

    #[test]
    fn the_experiment_can_be_made_and_is_about_days_of_the_history() {
        let today = date!(2026 - 11 - 24);
        let design = draft(today).settings().unwrap().design;
        let first = today - Duration::days(DAYS.into());
        assert!(design.first_day() >= first, "{design:?}");
        assert_eq!(design.post_days_until(today), 28);
        assert_eq!((design.control_urls.len(), design.variant_urls.len()), (5, 1));
    }
}
