//! A result as Lighthouse writes it, as far as it is read. Everything may be missing.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::depth;

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Raw {
    pub(super) lighthouse_version: Option<String>,
    pub(super) requested_url: Option<String>,
    pub(super) main_document_url: Option<String>,
    pub(super) final_displayed_url: Option<String>,
    pub(super) fetch_time: Option<String>,
    pub(super) gather_mode: Option<String>,
    pub(super) run_warnings: Vec<Value>,
    pub(super) runtime_error: Option<RuntimeError>,
    pub(super) environment: Environment,
    pub(super) audits: BTreeMap<String, Audit>,
    pub(super) categories: BTreeMap<String, Category>,
    pub(super) entities: Vec<Entity>,
    pub(super) full_page_screenshot: Option<FullPage>,
    pub(super) timing: Timing,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RuntimeError {
    pub(super) code: String,
    pub(super) message: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Environment {
    pub(super) benchmark_index: Option<f64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Timing {
    pub(super) total: Option<f64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Audit {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) score: Option<f64>,
    pub(super) score_display_mode: String,
    pub(super) display_value: Option<Value>,
    pub(super) numeric_value: Option<f64>,
    pub(super) numeric_unit: Option<String>,
    pub(super) explanation: Option<Value>,
    pub(super) error_message: Option<String>,
    pub(super) metric_savings: BTreeMap<String, Option<f64>>,
    pub(super) guidance_level: Option<f64>,
    #[serde(deserialize_with = "depth::value")]
    pub(super) details: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Category {
    pub(super) title: String,
    pub(super) score: Option<f64>,
    pub(super) audit_refs: Vec<AuditRef>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct AuditRef {
    pub(super) id: String,
    pub(super) weight: f64,
    pub(super) group: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Entity {
    pub(super) name: String,
    pub(super) homepage: Option<String>,
    pub(super) category: Option<String>,
    pub(super) is_first_party: bool,
    pub(super) is_unrecognized: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FullPage {
    pub(super) screenshot: Option<Screenshot>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Screenshot {
    pub(super) data: String,
    /// CSS pixels, which may be fractions.
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Raw {
    pub(super) fn details(&self, audit: &str) -> Option<&Value> {
        self.audits.get(audit)?.details.as_ref()
    }

    /// The items of an audit's table; none where it has none.
    pub(super) fn items(&self, audit: &str) -> &[Value] {
        self.details(audit)
            .and_then(|details| details.get("items")?.as_array())
            .map_or(&[], Vec::as_slice)
    }

    pub(super) fn numeric(&self, audit: &str) -> Option<f64> {
        finite(self.audits.get(audit)?.numeric_value)
    }

    /// Where an audit counts: its categories, by their names, with its reference in each.
    pub(super) fn places(&self, audit: &str) -> impl Iterator<Item = (&str, &AuditRef)> {
        self.categories.iter().filter_map(move |(name, category)| {
            let found = category.audit_refs.iter().find(|found| found.id == audit)?;
            Some((name.as_str(), found))
        })
    }
}

pub(super) fn finite(value: Option<f64>) -> Option<f64> {
    value.filter(|value| value.is_finite())
}

/// A text of Lighthouse: some are objects with the text within.
pub(super) fn said(value: &Value) -> Option<&str> {
    value
        .as_str()
        .or_else(|| value.get("text")?.as_str())
        .or_else(|| value.get("formattedDefault")?.as_str())
}

/// As much of it as is kept.
pub(super) fn words(value: &Value) -> Option<String> {
    said(value).map(super::text)
}

/// A whole number of 0 or more: bytes and counts are told as numbers with a point.
pub(super) fn whole(value: &Value) -> Option<u64> {
    whole_of(value.as_f64()?)
}

pub(super) fn whole_of(value: f64) -> Option<u64> {
    let rounded = value.round();
    // So far numbers are exact.
    if (0.0..=9_007_199_254_740_992.0).contains(&rounded) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is whole and in range"
        )]
        let whole = rounded as u64;
        Some(whole)
    } else {
        None
    }
}

#[expect(clippy::cast_precision_loss, reason = "so many bytes nobody sends")]
pub(super) fn as_figure(count: u64) -> f64 {
    count as f64
}
