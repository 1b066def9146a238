//! Errors of scripts by kind, as they are read.

mod frames;

use async_trait::async_trait;
use pharos_domain::{
    collect::view::ErrorSource, day::Day, identity::DomainAccess, store::StoreError, timestamp::Timestamp,
    wire_enum,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use self::frames::{Frame, frames};
use crate::chosen::{ChosenViews, Ranked, day};

/// Reads errors of views.
#[async_trait]
pub trait VitalsErrors: Send + Sync {
    /// The kinds of errors of views.
    async fn list(&self, domain: &DomainAccess, asked: &ErrorQuery) -> Result<ErrorList, StoreError>;

    /// One kind, with what happened on the days of `views`; `None` where the domain has none of that id.
    async fn view(
        &self,
        domain: &DomainAccess,
        id: Uuid,
        views: &ChosenViews,
    ) -> Result<Option<ErrorDetail>, StoreError>;
}

wire_enum! {
    /// Whether a page caught an error itself.
    Handling as "RumErrorHandling" {
        /// It did.
        Handled = "handled",
        /// Nobody did.
        Unhandled = "unhandled",
    }
}

wire_enum! {
    /// By what kinds of errors are ordered, the most first.
    ErrorSort as "RumErrorSort" {
        /// How many errors there are.
        Occurrences = "occurrences",
        /// How many views had one.
        AffectedViews = "affected_views",
        /// When the last one happened.
        LastSeenAt = "last_seen_at",
    }
}

/// Which kinds of errors are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorQuery {
    /// Those of these views.
    pub views: ChosenViews,
    /// Those that are handled so.
    pub handling: Option<Handling>,
    /// Those that this told of.
    pub source: Option<ErrorSource>,
    /// By what they are ordered.
    pub sort: ErrorSort,
}

/// Kinds of errors.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorList {
    /// All of them together.
    pub totals: ErrorTotals,
    /// The kinds, in the order that was asked for.
    pub kinds: Ranked<ErrorKind>,
}

/// Errors in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumErrorTotals))]
pub struct ErrorTotals {
    /// How many errors there are.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub occurrences: u64,
    /// How many views had one.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub affected_views: u64,
    /// Their share in all views, in percent; null without a view.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub error_rate_pct: Option<f64>,
    /// How many groups there are.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub groups: u64,
}

/// Errors of one normalised message and top frame, shown by the first of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumErrorFigures))]
pub struct ErrorKind {
    /// The group's id.
    pub error_id: Uuid,
    /// The message of the error, redacted; `(other)` for all that came after a site's 5,000 new groups of a day.
    pub message: String,
    /// Its class, such as `TypeError`; null where it was not told.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub name: Option<String>,
    /// The source that told of it.
    pub source: ErrorSource,
    /// Whether the page caught it itself.
    pub handling: Handling,
    /// The script, of a request its address, redacted and without the query; null where it was not told.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub filename: Option<String>,
    /// The line, from 1; null where it was not told.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 1))]
    pub line: Option<u32>,
    /// The column, from 1; null where it was not told.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 1))]
    pub column: Option<u32>,
    /// How many errors there are.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub occurrences: u64,
    /// How many views had one.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub affected_views: u64,
    /// Their share in all views, in percent; null without a view.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub affected_views_pct: Option<f64>,
    /// When the first ever happened.
    pub first_seen_at: Timestamp,
    /// When the last did, to within a minute.
    pub last_seen_at: Timestamp,
    /// Whether the first ever happened within the window.
    pub is_new: bool,
    /// Whether the script is of another site.
    pub is_third_party: bool,
    /// Whether the browser told nothing, since the script is of another origin: `Script error.`.
    pub script_error_opaque: bool,
    /// The page that had most of them, without the query; null without any.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub top_url: Option<String>,
    /// The browser that had most of them; null where it is not known.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub top_browser: Option<String>,
    /// How many there are on each day of the window, in order.
    pub trend: Vec<u64>,
}

/// A kind of errors in depth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumErrorDepth))]
pub struct ErrorDetail {
    /// The kind with its figures.
    #[serde(flatten)]
    pub kind: ErrorKind,
    /// The stack of the first, redacted; null where it was not told.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub stack: Option<String>,
    /// The frames of that stack, the innermost first: 50 at most. Empty where it was not told.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_items = 50))]
    pub frames: Vec<Frame>,
    /// By browser, the most first: 20 at most.
    #[cfg_attr(feature = "openapi", schema(max_items = 20))]
    pub by_browser: Vec<ErrorPiece>,
    /// By operating system, the most first: 20 at most.
    #[cfg_attr(feature = "openapi", schema(max_items = 20))]
    pub by_os: Vec<ErrorPiece>,
    /// By page, the most first: 20 at most.
    #[cfg_attr(feature = "openapi", schema(max_items = 20))]
    pub by_url: Vec<ErrorPiece>,
    /// By country, ISO 3166-1 alpha-2, the most first: 20 at most.
    #[cfg_attr(feature = "openapi", schema(max_items = 20))]
    pub by_country: Vec<ErrorPiece>,
    /// The messages of the errors that caused the first, redacted, the nearest first: five at most.
    pub causes: Vec<String>,
    /// The 30 days, in order.
    pub timeline: Vec<ErrorDay>,
}

/// Errors that have something in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumErrorPiece))]
pub struct ErrorPiece {
    /// The value that they have in common; null where it is not known.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub key: Option<String>,
    /// How many there are.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub occurrences: u64,
    /// How many views had one.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub affected_views: u64,
    /// Their share in the group's errors, in percent; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub share_pct: Option<f64>,
}

/// Errors of one day.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumErrorDay))]
pub struct ErrorDay {
    /// The UTC day.
    #[serde(deserialize_with = "day")]
    pub date: Day,
    /// How many there are.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub occurrences: u64,
    /// How many views had one.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub affected_views: u64,
}
