//! Changes that would make a page faster.

use std::cmp::Reverse;

use serde_json::Value;

use super::{
    lists::outcome,
    raw::{Audit, Raw, finite, whole, words},
    text, without_query,
};
use crate::result::{AuditOutcome, MetricSavings, Opportunity, OpportunityItem, OpportunityKind};

/// How many things an opportunity names.
const MOST_ITEMS: usize = 20;
/// How deep details may lie within each other.
const DEEPEST: usize = 12;
/// The highest level of guidance that is told.
const MOST_GUIDANCE: f64 = 3.0;

/// The insights and diagnostics that did not pass, the most promising first.
pub(super) fn of(raw: &Raw) -> Vec<Opportunity> {
    let found = raw
        .audits
        .iter()
        .filter_map(|(id, audit)| opportunity(raw, id, audit));
    let mut found: Vec<Opportunity> = found.collect();
    found.sort_by(|one, other| {
        let time = |found: &Opportunity| found.savings_ms.unwrap_or(-1.0);
        time(other)
            .total_cmp(&time(one))
            .then_with(|| Reverse(one.savings_bytes).cmp(&Reverse(other.savings_bytes)))
            .then_with(|| one.insight_id.cmp(&other.insight_id))
    });
    found
}

fn opportunity(raw: &Raw, id: &str, audit: &Audit) -> Option<Opportunity> {
    let group = raw
        .places(id)
        .next()
        .and_then(|(_, found)| found.group.as_deref());
    let kind = match group {
        _ if id.ends_with("-insight") => OpportunityKind::Insight,
        Some("insights") => OpportunityKind::Insight,
        Some("diagnostics") => OpportunityKind::Diagnostic,
        _ => return None,
    };
    let mut items = Vec::new();
    if let Some(details) = &audit.details {
        collect(details, DEEPEST, &mut items);
    }
    let is_open = match outcome(audit) {
        AuditOutcome::Failed | AuditOutcome::Average => true,
        // It tells something: that there is nothing to tell is no opportunity.
        AuditOutcome::Informative => !items.is_empty(),
        AuditOutcome::Passed | AuditOutcome::Manual | AuditOutcome::NotApplicable | AuditOutcome::Error => {
            false
        }
    };
    if !is_open {
        return None;
    }
    let saved = |name: &str| finite(audit.metric_savings.get(name).copied().flatten());
    let metric_savings = MetricSavings {
        fcp_ms: saved("FCP"),
        lcp_ms: saved("LCP"),
        tbt_ms: saved("TBT"),
        cls: saved("CLS"),
        inp_ms: saved("INP"),
    };
    let MetricSavings {
        fcp_ms,
        lcp_ms,
        tbt_ms,
        inp_ms,
        cls: _,
    } = metric_savings;
    let details = audit.details.as_ref();
    let overall = details.and_then(|details| finite(details.get("overallSavingsMs")?.as_f64()));
    // Insights name savings by metric alone: what the metric that gains most would gain.
    let most = [fcp_ms, lcp_ms, tbt_ms, inp_ms]
        .into_iter()
        .flatten()
        .max_by(f64::total_cmp);
    let bytes = details.and_then(|details| {
        details
            .get("overallSavingsBytes")
            .or_else(|| details.get("debugData")?.get("wastedBytes"))
            .and_then(whole)
    });
    Some(Opportunity {
        insight_id: text(id),
        title: text(&audit.title),
        kind,
        metric_savings,
        savings_ms: overall.or(most),
        savings_bytes: bytes,
        guidance_level: finite(audit.guidance_level)
            .map(|level| level.clamp(1.0, MOST_GUIDANCE))
            .and_then(super::raw::whole_of)
            .and_then(|level| u8::try_from(level).ok()),
        items,
    })
}

/// Collects the things that details name, in the forms that Lighthouse has for them.
fn collect(details: &Value, depth: usize, items: &mut Vec<OpportunityItem>) {
    if depth == 0 || items.len() >= MOST_ITEMS {
        return;
    }
    let within = details.get("items");
    match details.get("type").and_then(Value::as_str) {
        Some("table" | "opportunity") => {
            for row in within.and_then(Value::as_array).into_iter().flatten() {
                keep(item(row), items);
            }
        }
        Some("list") => {
            for part in within.and_then(Value::as_array).into_iter().flatten() {
                collect(part, depth - 1, items);
            }
        }
        Some("list-section") => {
            if let Some(value) = details.get("value") {
                collect(value, depth - 1, items);
            }
        }
        Some("network-tree") => chains(details.get("chains"), depth - 1, items),
        Some("node") => keep(node(details), items),
        Some("checklist") => {
            for check in within.and_then(Value::as_object).into_iter().flatten() {
                if check.1.get("value") == Some(&Value::Bool(false)) {
                    let label = check.1.get("label").and_then(words);
                    keep(
                        OpportunityItem {
                            label,
                            ..OpportunityItem::default()
                        },
                        items,
                    );
                }
            }
        }
        _ => {}
    }
}

fn keep(item: OpportunityItem, items: &mut Vec<OpportunityItem>) {
    if items.len() < MOST_ITEMS && item != OpportunityItem::default() {
        items.push(item);
    }
}

/// Requests that wait for each other, from the document on.
fn chains(requests: Option<&Value>, depth: usize, items: &mut Vec<OpportunityItem>) {
    if depth == 0 {
        return;
    }
    for request in requests.and_then(Value::as_object).into_iter().flatten() {
        let request = request.1;
        keep(
            OpportunityItem {
                url: request.get("url").and_then(Value::as_str).map(without_query),
                total_bytes: request.get("transferSize").and_then(whole),
                ..OpportunityItem::default()
            },
            items,
        );
        chains(request.get("children"), depth - 1, items);
    }
}

fn node(node: &Value) -> OpportunityItem {
    OpportunityItem {
        selector: node.get("selector").and_then(Value::as_str).map(text),
        label: node.get("nodeLabel").and_then(Value::as_str).map(text),
        ..OpportunityItem::default()
    }
}

fn item(row: &Value) -> OpportunityItem {
    let element = row.get("node").map(node).unwrap_or_default();
    let url = row
        .get("url")
        .or_else(|| row.get("source")?.get("url"))
        .and_then(Value::as_str)
        .map(without_query);
    let label = ["label", "statistic", "entity"]
        .iter()
        .find_map(|name| row.get(*name).and_then(words));
    OpportunityItem {
        url,
        total_bytes: row
            .get("totalBytes")
            .or_else(|| row.get("transferSize"))
            .and_then(whole),
        wasted_bytes: row.get("wastedBytes").and_then(whole),
        wasted_ms: finite(row.get("wastedMs").and_then(Value::as_f64)),
        label: label.or(element.label),
        selector: element.selector,
    }
}
