//! Real-user measurements: the content of a beacon of real-user monitoring, which is one page view with its measurements.

mod cause;
mod item;

use time::OffsetDateTime;

pub use self::{
    cause::{Cause, ClsCause, Element, InpCause, Interaction, LcpCause, LoadState, Subpart, TtfbCause},
    item::{
        ErrorSource, FrameKind, InvokerType, LongFrame, NotRestored, ReasonType, Resource, ResourcePhases,
        ResourceType, Script, ScriptError, ServerTiming,
    },
};
use super::PageLoadId;
use crate::wire_enum;

/// A page view. Several beacons may report a view: a later one contains all that is known by then, and replaces earlier ones of
/// the same load.
///
/// Texts are as the page sent them, bounded in length: whoever stores them redacts them first.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The page load.
    pub load: PageLoadId,
    /// When it began.
    pub at: OffsetDateTime,
    /// How many beacons of the view the page had sent before this one.
    pub revision: u16,
    /// The page's origin, such as `https://shop.example`.
    pub origin: String,
    /// The host, in lower case.
    pub host: String,
    /// The path, without the query.
    pub path: String,
    /// Where the browser came from, without the query; `None` for nowhere.
    pub referrer: Option<String>,
    /// How the browser came to it.
    pub navigation: Navigation,
    /// Whether the page was out of sight when it began. Then paint metrics are `None`.
    pub was_hidden: bool,
    /// Largest contentful paint, in milliseconds.
    pub lcp_ms: Option<f64>,
    /// Interaction to next paint, in milliseconds; `None` when nobody interacted.
    pub inp_ms: Option<f64>,
    /// Cumulative layout shift.
    pub cls: Option<f64>,
    /// First contentful paint, in milliseconds.
    pub fcp_ms: Option<f64>,
    /// Time to first byte, in milliseconds.
    pub ttfb_ms: Option<f64>,
    /// When the document was parsed, in milliseconds from the start of the load.
    pub dom_content_loaded_ms: Option<f64>,
    /// When the page was loaded with all that belongs to it, in milliseconds from the start of the load.
    pub load_ms: Option<f64>,
    /// The causes of the metrics.
    pub cause: Box<Cause>,
    /// The version of the script that measured it; `None` where the beacon does not say.
    pub version: Option<String>,
    /// The size of the window, in CSS pixels, width first.
    pub viewport: Option<(u16, u16)>,
    /// The effective type of the connection.
    pub connection: Option<Connection>,
    /// The round-trip time that the browser estimates, in milliseconds.
    pub rtt_ms: Option<f64>,
    /// The protocol by which the document came, such as `h2`.
    pub protocol: Option<String>,
    /// The memory of the device in GiB, as coarse as browsers report it.
    pub device_memory: Option<f64>,
    /// The actions of people on the page.
    pub engagement: Engagement,
    /// Errors of scripts.
    pub errors: Vec<ScriptError>,
    /// The resources that the page loaded.
    pub resources: Vec<Resource>,
    /// Long tasks and long animation frames; `None` where the browser reports none.
    pub long_frames: Option<Vec<LongFrame>>,
    /// Why a page was not restored from the back/forward cache; `None` where the browser does not say.
    pub not_restored: Option<Vec<NotRestored>>,
}

/// The actions of people on a page, so far. A count that was not taken is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Engagement {
    /// How long the page was visible, in milliseconds.
    pub visible_ms: Option<u32>,
    /// How far down it was seen, in percent of its height.
    pub scroll_pct: Option<u8>,
    /// Clicks, taps and keys.
    pub interactions: Option<u16>,
    /// Times that one element was clicked thrice within a second.
    pub rage_clicks: Option<u16>,
    /// Clicks after which nothing happened for three seconds.
    pub dead_clicks: Option<u16>,
}

wire_enum! {
    /// How a browser came to a page.
    Navigation {
        /// An ordinary load.
        Navigate = "navigate",
        /// The document came from the HTTP cache.
        NavigateCache = "navigate_cache",
        /// A reload.
        Reload = "reload",
        /// Back or forward, loaded anew.
        BackForward = "back_forward",
        /// Back or forward, restored as it was left.
        BackForwardCache = "back_forward_cache",
        /// Loaded before it was asked for.
        Prerender = "prerender",
        /// A discarded tab that was restored.
        Restore = "restore",
        /// A route change within the page.
        Soft = "soft_navigation",
    }
}

wire_enum! {
    /// The effective type of a connection, as the Network Information API tells them apart.
    Connection {
        /// As slow as 2G at its worst.
        Slow2g = "slow_2g",
        /// Like 2G.
        TwoG = "2g",
        /// Like 3G.
        ThreeG = "3g",
        /// Like 4G or faster.
        FourG = "4g",
    }
}
