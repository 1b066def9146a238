//! The causes of the metrics of a view, by the attribution build of the `web-vitals` library. Members that were not told are
//! `None`; times are in milliseconds.

use super::{Script, ServerTiming};
use crate::wire_enum;

/// The causes of the metrics of a view.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Cause {
    /// The cause of the largest contentful paint.
    pub lcp: LcpCause,
    /// The cause of the interaction to next paint.
    pub inp: InpCause,
    /// The cause of the largest layout shift.
    pub cls: ClsCause,
    /// The cause of the time to first byte.
    pub ttfb: TtfbCause,
}

/// An element of a page.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Element {
    /// A CSS selector; `None` where the node had left the document.
    pub selector: Option<String>,
    /// Its `id`.
    pub id: Option<String>,
    /// Its `class`.
    pub class: Option<String>,
    /// Its tag, in lower case, such as `img`.
    pub tag: Option<String>,
}

/// The parts of a largest contentful paint, which add up to it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct LcpCause {
    /// The largest element.
    pub element: Element,
    /// The address of its image or video, without the query; `None` for text.
    pub resource_url: Option<String>,
    /// The thing that loaded the resource, as Resource Timing names it: `img`, `css`, `link`.
    pub initiator: Option<String>,
    /// `timeToFirstByte`.
    pub ttfb_ms: Option<f64>,
    /// `resourceLoadDelay`; `None` without a resource.
    pub load_delay_ms: Option<f64>,
    /// `resourceLoadDuration`; `None` without a resource.
    pub load_duration_ms: Option<f64>,
    /// `elementRenderDelay`.
    pub render_delay_ms: Option<f64>,
    /// The size of the resource as it was transferred.
    pub bytes: Option<u32>,
    /// Whether the image was fetched with high priority.
    pub has_high_priority: Option<bool>,
    /// Whether the image was loaded lazily.
    pub is_lazy: Option<bool>,
}

/// The parts of the slowest interaction.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct InpCause {
    /// The element that was interacted with.
    pub element: Element,
    /// The kind of the interaction.
    pub interaction: Option<Interaction>,
    /// How far the page was loaded.
    pub load_state: Option<LoadState>,
    /// `inputDelay`.
    pub input_delay_ms: Option<f64>,
    /// `processingDuration`.
    pub processing_ms: Option<f64>,
    /// `presentationDelay`.
    pub presentation_ms: Option<f64>,
    /// `totalScriptDuration`.
    pub script_ms: Option<f64>,
    /// `totalStyleAndLayoutDuration`.
    pub style_layout_ms: Option<f64>,
    /// `totalPaintDuration`.
    pub paint_ms: Option<f64>,
    /// `totalUnattributedDuration`.
    pub unattributed_ms: Option<f64>,
    /// The script that took longest, and the part that it fell into.
    pub longest_script: Option<(Script, Option<Subpart>)>,
}

/// The largest shift.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ClsCause {
    /// The element that moved.
    pub element: Element,
    /// `largestShiftValue`.
    pub shift: Option<f64>,
    /// `largestShiftTime`, from the start of the load.
    pub shift_at_ms: Option<f64>,
    /// How far the page was loaded.
    pub load_state: Option<LoadState>,
}

/// The parts of the time to first byte, which add up to it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TtfbCause {
    /// `waitingDuration`: redirects, queueing, the start of a service worker.
    pub waiting_ms: Option<f64>,
    /// `cacheDuration`.
    pub cache_ms: Option<f64>,
    /// `dnsDuration`.
    pub dns_ms: Option<f64>,
    /// `connectionDuration`: TCP and TLS.
    pub connection_ms: Option<f64>,
    /// `requestDuration`: network and server.
    pub request_ms: Option<f64>,
    /// How many redirects there were.
    pub redirects: Option<u16>,
    /// The metrics that the server told by `Server-Timing`.
    pub server_timings: Vec<ServerTiming>,
}

wire_enum! {
    /// The kind of an interaction.
    Interaction {
        /// A click, tap or drag.
        Pointer = "pointer",
        /// A key.
        Keyboard = "keyboard",
    }
}

wire_enum! {
    /// How far a page was loaded.
    LoadState {
        /// The document is being parsed.
        Loading = "loading",
        /// It is parsed, and deferred scripts are not done.
        DomInteractive = "dom_interactive",
        /// Deferred scripts are done, and not all resources are there.
        DomContentLoaded = "dom_content_loaded",
        /// All is there.
        Complete = "complete",
    }
}

wire_enum! {
    /// A part of an interaction.
    Subpart {
        /// Before its listeners ran.
        InputDelay = "input_delay",
        /// While its listeners ran.
        ProcessingDuration = "processing_duration",
        /// From then to the next frame.
        PresentationDelay = "presentation_delay",
    }
}
