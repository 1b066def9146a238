//! The result of a run, as it is kept.

use std::collections::BTreeMap;

use pharos_domain::wire_enum;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::{figure::Figures, median::Spread};

wire_enum! {
    /// How a page was measured.
    GatherMode as "LabGatherMode" {
        /// While it loads.
        Navigation = "navigation",
        /// Over a time.
        Timespan = "timespan",
        /// As it is at one moment.
        Snapshot = "snapshot",
    }
}

wire_enum! {
    /// A kind of resources.
    ResourceKind as "LabResourceKind" {
        /// All of them.
        Total = "total",
        /// Documents.
        Document = "document",
        /// Scripts.
        Script = "script",
        /// Stylesheets.
        Stylesheet = "stylesheet",
        /// Images.
        Image = "image",
        /// Audio and video.
        Media = "media",
        /// Fonts.
        Font = "font",
        /// Anything else.
        Other = "other",
        /// Those of others' servers, whatever they are.
        ThirdParty = "third_party",
    }
}

wire_enum! {
    /// A kind of work of the main thread.
    MainThreadGroup {
        /// Running scripts.
        ScriptEvaluation = "script_evaluation",
        /// Parsing and compiling them.
        ScriptParseCompile = "script_parse_compile",
        /// Styles and layout.
        StyleLayout = "style_layout",
        /// Painting.
        PaintCompositeRender = "paint_composite_render",
        /// Parsing documents and stylesheets.
        ParseHtml = "parse_html",
        /// Collecting garbage.
        GarbageCollection = "garbage_collection",
        /// Anything else.
        Other = "other",
    }
}

wire_enum! {
    /// How the score of an audit is meant.
    ScoreDisplayMode as "LabScoreDisplayMode" {
        /// Any score of 0 to 1.
        Numeric = "numeric",
        /// 0 or 1.
        Binary = "binary",
        /// 0, 0.5 or 1, by what could be saved.
        MetricSavings = "metric_savings",
        /// Nobody but a person can judge it.
        Manual = "manual",
        /// It tells something, and judges nothing.
        Informative = "informative",
        /// There was nothing to judge.
        NotApplicable = "not_applicable",
        /// It could not be judged.
        Error = "error",
    }
}

wire_enum! {
    /// How an audit ended.
    AuditOutcome as "LabAuditOutcome" {
        /// A score of 0.9 or more.
        Passed = "passed",
        /// A score below 0.5.
        Failed = "failed",
        /// A score in between.
        Average = "average",
        /// Nobody but a person can judge it.
        Manual = "manual",
        /// It tells something, and judges nothing.
        Informative = "informative",
        /// There was nothing to judge.
        NotApplicable = "not_applicable",
        /// It could not be judged.
        Error = "error",
    }
}

wire_enum! {
    /// The unit of an audit's value.
    NumericUnit as "LabNumericUnit" {
        /// Milliseconds.
        Millisecond = "millisecond",
        /// Seconds.
        Second = "second",
        /// Bytes.
        Byte = "byte",
        /// None.
        Unitless = "unitless",
        /// Elements of a document.
        Element = "element",
    }
}

wire_enum! {
    /// Where an opportunity comes from.
    OpportunityKind as "LabOpportunityKind" {
        /// An insight of the trace.
        Insight = "insight",
        /// Another audit of performance.
        Diagnostic = "diagnostic",
    }
}

/// The result of a run, but for its lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The URL that was requested.
    pub requested_url: Option<String>,
    /// That of the document which answered.
    pub main_document_url: Option<String>,
    /// The one in the address bar at the end.
    pub final_url: Option<String>,
    /// When it was requested.
    #[serde(with = "time::serde::rfc3339::option")]
    pub fetched_at: Option<OffsetDateTime>,
    /// The version of Lighthouse.
    pub engine_version: Option<String>,
    /// How it was measured.
    pub gather_mode: GatherMode,
    /// How fast the machine was that measured.
    pub benchmark_index: Option<f64>,
    /// Circumstances that may have spoilt it.
    pub run_warnings: Vec<String>,
    /// Why nothing could be measured.
    pub runtime_error: Option<RuntimeError>,
    /// The scores, by category.
    pub categories: BTreeMap<String, CategoryScore>,
    /// The figures.
    pub figures: Figures,
    /// The resources by kind.
    pub resource_summary: Vec<ResourceTotal>,
    /// The work of the main thread by kind, the longest first.
    pub main_thread: Vec<MainThreadWork>,
    /// Tasks of the main thread that took 50 milliseconds or more.
    pub long_tasks_count: Option<u64>,
    /// Elements of the document.
    pub dom_size: Option<u64>,
    /// How long measuring took, in milliseconds.
    pub duration_ms: Option<u64>,
    /// How many loads were made, of which this is the one in the middle.
    pub runs_aggregated: u8,
    /// How far their figures lie apart.
    pub variability: Option<BTreeMap<String, Spread>>,
}

/// Why nothing could be measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuntimeError {
    /// Lighthouse's code, in small letters.
    pub code: String,
    /// The same in words.
    pub message: String,
}

/// The score of a category.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CategoryScore {
    /// 0 to 100; `None`: it could not be judged.
    pub score: Option<u8>,
    /// The name for people, as Lighthouse has it.
    pub title: String,
}

/// The resources of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceTotal {
    /// The kind of files that are summed up.
    #[serde(rename = "type")]
    pub kind: ResourceKind,
    /// How many.
    pub count: u64,
    /// Their bytes over the network.
    pub transfer_bytes: u64,
    /// Their bytes, unpacked.
    pub resource_bytes: u64,
}

/// The work of the main thread of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MainThreadWork {
    /// The kind of work.
    pub group: MainThreadGroup,
    /// How long it took, in milliseconds.
    pub duration_ms: f64,
}

/// An audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditRow {
    /// Lighthouse's id.
    pub audit_id: String,
    /// The name for people, as Lighthouse has it.
    pub title: String,
    /// Its description; Markdown.
    pub description: String,
    /// The category that it counts for, of several the first by name; `None`: none that was requested.
    pub category: Option<String>,
    /// Its group there.
    pub group: Option<String>,
    /// 0 to 1.
    pub score: Option<f64>,
    /// How the score is meant.
    pub score_display_mode: ScoreDisplayMode,
    /// How it ended.
    pub outcome: AuditOutcome,
    /// Its weight in the score of the category.
    pub weight: f64,
    /// The other categories that it counts for. Tests of earlier versions know of none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<AuditPlace>,
    /// Its value for people.
    pub display_value: Option<String>,
    /// Its value.
    pub numeric_value: Option<f64>,
    /// The unit of that.
    pub numeric_unit: Option<NumericUnit>,
    /// Why it failed.
    pub explanation: Option<String>,
    /// Why it could not be judged.
    pub error_message: Option<String>,
    /// How many things it names.
    pub items_count: Option<u32>,
}

/// A category that an audit counts for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditPlace {
    /// The category.
    pub category: String,
    /// Its group there.
    pub group: Option<String>,
    /// Its weight in the score of the category.
    pub weight: f64,
}

impl AuditRow {
    /// The audit as it counts for a category; `None`: it does not.
    #[must_use]
    pub fn within(self, category: &str) -> Option<Self> {
        if self.category.as_deref() == Some(category) {
            return Some(self);
        }
        let place = self.elsewhere.iter().find(|place| place.category == category)?;
        let AuditPlace {
            category,
            group,
            weight,
        } = place.clone();
        Some(Self {
            category: Some(category),
            group,
            weight,
            ..self
        })
    }
}

/// Something that would make the page faster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opportunity {
    /// Lighthouse's id.
    pub insight_id: String,
    /// The name for people, as Lighthouse has it.
    pub title: String,
    /// Where it comes from.
    pub kind: OpportunityKind,
    /// By how much metrics would be better.
    pub metric_savings: MetricSavings,
    /// By how many milliseconds the page would be faster.
    pub savings_ms: Option<f64>,
    /// How many bytes it would be smaller.
    pub savings_bytes: Option<u64>,
    /// How much there is to do about it, 1 to 3.
    pub guidance_level: Option<u8>,
    /// The items that it concerns, 20 at most.
    pub items: Vec<OpportunityItem>,
}

/// By how much metrics would be better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MetricSavings {
    /// First Contentful Paint, in milliseconds.
    pub fcp_ms: Option<f64>,
    /// Largest Contentful Paint, in milliseconds.
    pub lcp_ms: Option<f64>,
    /// Total Blocking Time, in milliseconds.
    pub tbt_ms: Option<f64>,
    /// Cumulative Layout Shift.
    pub cls: Option<f64>,
    /// Interaction to Next Paint, in milliseconds.
    pub inp_ms: Option<f64>,
}

/// A thing that an opportunity is about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpportunityItem {
    /// The resource, without its query.
    pub url: Option<String>,
    /// The CSS selector of the element.
    pub selector: Option<String>,
    /// The bytes that it takes in all.
    pub total_bytes: Option<u64>,
    /// Those that could be saved.
    pub wasted_bytes: Option<u64>,
    /// The milliseconds that could be saved.
    pub wasted_ms: Option<f64>,
    /// The name that Lighthouse gives it for people.
    pub label: Option<String>,
}

/// A request of the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resource {
    /// The URL without its query.
    pub url: String,
    /// The version of HTTP.
    pub protocol: String,
    /// The kind of resource, in small letters.
    pub resource_type: String,
    /// Its media type.
    pub mime_type: String,
    /// The status; `None` without an answer.
    pub status_code: Option<u16>,
    /// How urgent it was to the browser.
    pub priority: Option<String>,
    /// When it was requested, in milliseconds from the beginning.
    pub start_ms: Option<f64>,
    /// When it was there.
    pub end_ms: Option<f64>,
    /// How long that took.
    pub duration_ms: Option<f64>,
    /// Bytes over the network.
    pub transfer_bytes: u64,
    /// Bytes, unpacked.
    pub resource_bytes: u64,
    /// Whether it came from a cache.
    pub from_cache: Option<bool>,
    /// Whether the page waited for it before it painted.
    pub render_blocking: bool,
    /// Whether somebody else serves it.
    pub is_third_party: bool,
    /// Who serves it.
    pub entity: Option<String>,
}

/// Somebody who serves something of the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThirdParty {
    /// The name of it, as Lighthouse knows it.
    pub entity: String,
    /// The kind of their business.
    pub category: Option<String>,
    /// The site of whoever provides it.
    pub homepage: Option<String>,
    /// Whether it is the page's own site.
    pub is_first_party: bool,
    /// Whether nobody knows who they are: the name is that of a host.
    pub is_unrecognized: bool,
    /// Bytes over the network.
    pub transfer_bytes: u64,
    /// The time that their scripts took of the main thread, in milliseconds.
    pub main_thread_ms: Option<f64>,
    /// The part of it that kept the page from answering.
    pub blocking_ms: Option<f64>,
    /// Requests.
    pub request_count: u64,
    /// The largest resources, 5 at most.
    pub urls: Vec<String>,
}

/// The lists of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lists {
    /// All audits.
    pub audits: Vec<AuditRow>,
    /// Changes that would make the page faster, the most promising first.
    pub opportunities: Vec<Opportunity>,
    /// Its requests, in order.
    pub resources: Vec<Resource>,
    /// Who serves it, the largest first.
    pub third_parties: Vec<ThirdParty>,
    /// How it looked while it loaded.
    pub filmstrip: Filmstrip,
}

/// How a page looked while it loaded. Pictures are named by the keys of artefacts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filmstrip {
    /// The frames, the first first.
    pub frames: Vec<Frame>,
    /// How it looked in the end.
    pub final_screenshot: Option<Picture>,
    /// All of it, from top to bottom.
    pub full_page_screenshot: Option<Picture>,
    /// The key of all that Lighthouse wrote; `None`: it is not kept.
    pub report: Option<String>,
}

impl Filmstrip {
    /// Whether any picture is kept.
    #[must_use]
    pub fn has_pictures(&self) -> bool {
        !self.frames.is_empty() || self.final_screenshot.is_some() || self.full_page_screenshot.is_some()
    }
}

/// A frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// When, in milliseconds from the beginning.
    pub timing_ms: u64,
    /// The file of the frame.
    pub picture: Picture,
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// The key of its artefact.
    pub key: String,
    /// Its width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
}
