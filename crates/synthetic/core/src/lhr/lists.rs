//! Audits, requests, and who serves them.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::{
    MOST_AUDITS, MOST_REQUESTS,
    raw::{Audit, Entity, Raw, finite, whole, words},
    snake_case, text, without_query,
};
use crate::result::{AuditOutcome, AuditPlace, AuditRow, Resource, ScoreDisplayMode, ThirdParty};

/// From this score on an audit has passed.
const PASSED_FROM: f64 = 0.9;
/// Below this score it has failed.
const FAILED_BELOW: f64 = 0.5;
/// How many resources of somebody are named.
const MOST_URLS: usize = 5;

pub(super) fn audits(raw: &Raw) -> Vec<AuditRow> {
    let audits = raw.audits.iter().take(MOST_AUDITS);
    audits.map(|(id, audit)| row(raw, id, audit)).collect()
}

fn row(raw: &Raw, id: &str, audit: &Audit) -> AuditRow {
    let mut places = raw.places(id).map(|(category, found)| AuditPlace {
        category: snake_case(category),
        group: found.group.as_deref().map(text),
        weight: found.weight,
    });
    let first = places.next();
    let items = audit
        .details
        .as_ref()
        .and_then(|details| details.get("items")?.as_array());
    AuditRow {
        audit_id: text(id),
        title: text(&audit.title),
        description: text(&audit.description),
        category: first.as_ref().map(|place| place.category.clone()),
        group: first.as_ref().and_then(|place| place.group.clone()),
        score: finite(audit.score),
        score_display_mode: mode(audit),
        outcome: outcome(audit),
        weight: first.map_or(0.0, |place| place.weight),
        elsewhere: places.collect(),
        display_value: audit.display_value.as_ref().and_then(words),
        numeric_value: finite(audit.numeric_value),
        numeric_unit: audit.numeric_unit.as_deref().and_then(|unit| unit.parse().ok()),
        explanation: audit.explanation.as_ref().and_then(words),
        error_message: audit.error_message.as_deref().map(text),
        items_count: items.and_then(|items| u32::try_from(items.len()).ok()),
    }
}

/// A mode that is not known yet judges nothing.
fn mode(audit: &Audit) -> ScoreDisplayMode {
    snake_case(&audit.score_display_mode)
        .parse()
        .unwrap_or(ScoreDisplayMode::Informative)
}

pub(super) fn outcome(audit: &Audit) -> AuditOutcome {
    match (mode(audit), finite(audit.score)) {
        (ScoreDisplayMode::Manual, _) => AuditOutcome::Manual,
        (ScoreDisplayMode::Informative, _) => AuditOutcome::Informative,
        (ScoreDisplayMode::NotApplicable, _) => AuditOutcome::NotApplicable,
        (ScoreDisplayMode::Error, _) | (_, None) => AuditOutcome::Error,
        (_, Some(score)) if score >= PASSED_FROM => AuditOutcome::Passed,
        (_, Some(score)) if score >= FAILED_BELOW => AuditOutcome::Average,
        (_, Some(_)) => AuditOutcome::Failed,
    }
}

/// All requests of the page, each with its URL as Lighthouse wrote it.
pub(super) fn requests(raw: &Raw) -> impl Iterator<Item = (&str, Resource)> {
    let blocking: HashSet<&str> = raw
        .items("render-blocking-insight")
        .iter()
        .filter_map(|item| item.get("url")?.as_str())
        .collect();
    let others: HashSet<&str> = raw
        .entities
        .iter()
        .filter(|entity| !entity.is_first_party)
        .map(|entity| entity.name.as_str())
        .collect();
    raw.items("network-requests").iter().filter_map(move |item| {
        let url = item.get("url")?.as_str()?;
        Some((url, request(item, url, &blocking, &others)?))
    })
}

/// The requests of the page that are kept.
pub(super) fn resources(raw: &Raw) -> Vec<Resource> {
    let requests = requests(raw).map(|(_, resource)| resource);
    requests.take(MOST_REQUESTS).collect()
}

fn request(item: &Value, url: &str, blocking: &HashSet<&str>, others: &HashSet<&str>) -> Option<Resource> {
    let said = |name: &str| item.get(name).and_then(Value::as_str);
    let bytes = |name: &str| item.get(name).and_then(whole).unwrap_or(0);
    let moment = |name: &str| finite(item.get(name).and_then(Value::as_f64));
    // These ask nobody.
    if ["data:", "blob:", "filesystem:", "intent:"]
        .iter()
        .any(|scheme| url.starts_with(scheme))
    {
        return None;
    }
    let (start, end) = (moment("networkRequestTime"), moment("networkEndTime"));
    let entity = said("entity").map(text);
    Some(Resource {
        url: without_query(url),
        protocol: text(said("protocol").unwrap_or_default()),
        resource_type: text(&snake_case(said("resourceType").unwrap_or("Other"))),
        mime_type: text(said("mimeType").unwrap_or_default()),
        status_code: item
            .get("statusCode")
            .and_then(whole)
            .and_then(|status| u16::try_from(status).ok())
            .filter(|status| (100..600).contains(status)),
        priority: said("priority").map(|priority| text(&snake_case(priority))),
        start_ms: start,
        end_ms: end,
        duration_ms: start.zip(end).map(|(start, end)| (end - start).max(0.0)),
        transfer_bytes: bytes("transferSize"),
        resource_bytes: bytes("resourceSize"),
        from_cache: said("cache").map(|cache| cache != "none"),
        render_blocking: blocking.contains(url),
        is_third_party: entity.as_deref().is_some_and(|entity| others.contains(entity)),
        entity,
    })
}

pub(super) fn third_parties(raw: &Raw, resources: &[Resource]) -> Vec<ThirdParty> {
    let known: BTreeMap<&str, &Entity> = raw
        .entities
        .iter()
        .map(|entity| (entity.name.as_str(), entity))
        .collect();
    let times: BTreeMap<String, f64> = raw
        .items("third-parties-insight")
        .iter()
        .filter_map(|item| {
            Some((
                words(item.get("entity")?)?,
                finite(item.get("mainThreadTime")?.as_f64())?,
            ))
        })
        .collect();
    let mut by_entity: BTreeMap<&str, Vec<&Resource>> = BTreeMap::new();
    for resource in resources {
        if let Some(entity) = &resource.entity {
            by_entity.entry(entity).or_default().push(resource);
        }
    }
    let parties = by_entity.into_iter().map(|(name, mut resources)| {
        resources.sort_by_key(|resource| std::cmp::Reverse(resource.transfer_bytes));
        let entity = known.get(name);
        let mut urls: Vec<String> = Vec::new();
        for resource in &resources {
            if urls.len() < MOST_URLS && !urls.contains(&resource.url) {
                urls.push(resource.url.clone());
            }
        }
        ThirdParty {
            entity: name.to_owned(),
            category: entity.and_then(|entity| entity.category.as_deref().map(text)),
            homepage: entity.and_then(|entity| entity.homepage.as_deref().map(text)),
            is_first_party: entity.is_some_and(|entity| entity.is_first_party),
            is_unrecognized: entity.is_none_or(|entity| entity.is_unrecognized),
            transfer_bytes: resources.iter().map(|resource| resource.transfer_bytes).sum(),
            main_thread_ms: times.get(name).copied(),
            // The versions of Lighthouse that tell of insights do not say.
            blocking_ms: None,
            request_count: resources.len() as u64,
            urls,
        }
    });
    let mut parties: Vec<ThirdParty> = parties.collect();
    parties.sort_by_key(|party| std::cmp::Reverse(party.transfer_bytes));
    parties
}
