//! The form that edits a rule's condition and how it tells. The watched metric and the switch of the rule stay as they are.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::html;
use pharos_alerting::rule::{AlertRule, RuleSettings};
use pharos_domain::{alert_metric::AlertMetric, ids::AlertRuleId, module::Module, settings::SettingFault};
use serde_json::json;

use super::{
    CHANGERS,
    fields::Typed,
    path,
    picture::{self, DRAW, picture},
    there,
};
use crate::{
    console::Console,
    domain::{
        frame, named,
        settings::{Changed, changed, judged},
        tabs::ALERTS,
    },
    enter::AtDomain,
    form::Form,
    page::go,
    parts::form::{Faults, SEEN, as_seen, outdated},
    refusal::Refusal,
    shown::shown,
};

/// A rule, and the metric that it watches.
struct Found {
    rule: AlertRule,
    metric: &'static AlertMetric,
}

/// GET /console/domains/{domain_id}/alerts/{rule_id}/edit
pub(crate) async fn ask(
    request: HttpRequest,
    ids: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let (domain, id) = ids.into_inner();
    let here = console.at_domain(&request, &domain, CHANGERS).await?;
    here.needs(Module::Alerts)?;
    let found = find(&console, &here, &id).await?;
    let (seen, typed) = (state(&found.rule), Typed::of(&found.rule.settings));
    page(&console, &here, &found, &seen, &typed, &Faults::default()).await
}

/// POST /console/domains/{domain_id}/alerts/{rule_id}/edit: changes the rule, or draws it.
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    ids: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let (domain, id) = ids.into_inner();
    let here = console
        .changer(&request, &domain, (CHANGERS, Module::Alerts), &sent)
        .await?;
    here.writable()?;
    let found = find(&console, &here, &id).await?;
    let (seen, typed) = (sent.one(SEEN), Typed::sent(&sent));
    let before = &found.rule.settings;
    let asked = match typed.settings(&console, &here, (before.module, found.metric))? {
        Ok(asked) => asked,
        Err(faults) => return page(&console, &here, &found, seen, &typed, &faults).await,
    };
    if sent.one("do") == DRAW {
        return page(&console, &here, &found, seen, &typed, &Faults::default()).await;
    }
    let as_found = state(&found.rule);
    let details = json!({
        "rule_id": found.rule.id,
        "rule": asked.name,
        "metric": asked.metric,
        "operator": asked.operator,
        "threshold_value": asked.threshold,
    });
    let noted = changed(&console, &here, Module::Alerts, details);
    let change = |present: Option<&RuleSettings>| {
        let present = present.ok_or_else(Vec::<SettingFault>::new)?;
        // The form has all settings: it would undo what somebody else changed, up to this moment.
        as_seen(seen, &as_found)?;
        if present != before {
            return Err(outdated());
        }
        Ok(RuleSettings {
            enabled: present.enabled,
            ..asked.clone()
        })
    };
    let now = console.parts.clock.now();
    let updated = console
        .parts
        .rules
        .update(&noted, found.rule.id, &change, now)
        .await;
    if let Changed::Faulty(faults) = judged(there(updated)?)? {
        return page(&console, &here, &found, seen, &typed, &faults).await;
    }
    console.parts.answers.outdated(here.id(), Module::Alerts).await;
    Ok(go(&format!("{}?edited", path(&here))))
}

/// A rule of the domain whose metric this node knows.
async fn find(console: &Console, here: &AtDomain, id: &str) -> Result<Found, Refusal> {
    let id: AlertRuleId = id.parse().map_err(|_| Refusal::NoPage)?;
    let rule = console.parts.rules.find(&here.access, id).await?;
    let rule = rule.ok_or(Refusal::NoPage)?;
    let metrics = &console.parts.alert_metrics;
    let metric = metrics.find(rule.settings.module, &rule.settings.metric);
    let metric = metric.ok_or(Refusal::NoPage)?;
    Ok(Found { rule, metric })
}

/// The state of a rule, by the time of its last change.
fn state(rule: &AlertRule) -> String {
    rule.updated_at.unix_timestamp_nanos().to_string()
}

/// The form. `seen` is the state of the rule that it was filled from.
async fn page(
    console: &Console,
    here: &AtDomain,
    found: &Found,
    seen: &str,
    typed: &Typed,
    faults: &Faults,
) -> Result<HttpResponse, Refusal> {
    let domain = named(console, here).await?;
    let Found { rule, metric } = found;
    let drawn = picture(console, here, (rule.settings.module, *metric), typed).await;
    let name = shown(rule.settings.name.as_deref().unwrap_or(metric.label));
    let content = html! {
        h2 { "Edit " bdi { (name) } }
        p.note { (metric.label) ": " (metric.description) }
        (faults.summary())
        (drawn)
        form.card method="post" action={ (path(here)) "/" (rule.id) "/edit" } {
            (here.user.token_field())
            input type="hidden" name=(SEEN) value=(seen);
            (typed.fields(metric, faults))
            div.actions {
                a.button.quiet href=(path(here)) { "Back" }
                button type="submit" { "Save" }
                (picture::button())
            }
        }
    };
    Ok(frame(here, &domain.title, ALERTS)
        .part("Edit a rule")
        .status(faults.status())
        .with(&content))
}
