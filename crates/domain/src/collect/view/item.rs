//! The parts that a view may have several of: errors, resources, long frames. Times are in milliseconds.

use crate::wire_enum;

/// An error of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// The message.
    pub message: String,
    /// Its class, such as `TypeError`.
    pub name: Option<String>,
    /// The source that told of it.
    pub source: ErrorSource,
    /// Whether the page caught it itself.
    pub is_handled: bool,
    /// The script, without the query.
    pub filename: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column, from 1.
    pub column: Option<u32>,
    /// Its stack, as the browser writes it.
    pub stack: Option<String>,
    /// The messages of the errors that caused it, the nearest first.
    pub causes: Vec<String>,
}

wire_enum! {
    /// The source that told of an error.
    ErrorSource {
        /// A script that failed.
        Source = "source",
        /// A request that failed.
        Network = "network",
        /// A word to the console.
        Console = "console",
        /// A report of the browser.
        Report = "report",
        /// The page itself.
        Custom = "custom",
    }
}

/// Something that a page loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct Resource {
    /// Its address, without the query.
    pub url: String,
    /// The kind of file.
    pub kind: ResourceType,
    /// The method of a request of a script, where it is known.
    pub method: Option<String>,
    /// When loading began, from the start of the load.
    pub start_ms: f64,
    /// How long it took.
    pub duration_ms: f64,
    /// Its parts; `None` where its server does not allow the page to know them.
    pub phases: Option<ResourcePhases>,
    /// The protocol, such as `h2`.
    pub protocol: Option<String>,
    /// Whether the page waited for it before it was shown; `None` where the browser does not say.
    pub is_render_blocking: Option<bool>,
    /// Whether it came from a cache; `None` where that can't be told.
    pub is_cached: Option<bool>,
    /// The status of the answer; 0 for a request that had none, `None` where it is not known.
    pub status: Option<u16>,
}

/// The parts of loading a resource.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResourcePhases {
    /// Looking its name up.
    pub dns_ms: f64,
    /// Connecting, TLS included.
    pub connect_ms: f64,
    /// TLS.
    pub tls_ms: f64,
    /// From the request to the first byte.
    pub ttfb_ms: f64,
    /// From there to the last.
    pub download_ms: f64,
    /// How many bytes were transferred; 0 out of a cache.
    pub transfer_bytes: u32,
    /// How many bytes the decoded body has.
    pub decoded_bytes: u32,
}

wire_enum! {
    /// The kind of a resource.
    ResourceType {
        /// A document, such as that of a frame.
        Document = "document",
        /// A script.
        Script = "script",
        /// A stylesheet.
        Stylesheet = "stylesheet",
        /// An image.
        Image = "image",
        /// A font.
        Font = "font",
        /// Audio or video.
        Media = "media",
        /// A request by `fetch`.
        Fetch = "fetch",
        /// A request by `XMLHttpRequest`.
        Xhr = "xhr",
        /// A beacon.
        Beacon = "beacon",
        /// Anything else.
        Other = "other",
    }
}

/// A stretch of time in which a page could not answer.
#[derive(Clone, Debug, PartialEq)]
pub struct LongFrame {
    /// The record of the browser that it comes from.
    pub kind: FrameKind,
    /// When it began, from the start of the load.
    pub start_ms: f64,
    /// How long it took.
    pub duration_ms: f64,
    /// The part of that time for which an interaction would have had to wait.
    pub blocking_ms: f64,
    /// The part of it that was style and layout; `None` for a long task.
    pub style_layout_ms: Option<f64>,
    /// The scripts that took longest.
    pub scripts: Vec<Script>,
}

wire_enum! {
    /// The browser's record that a long stretch comes from.
    FrameKind {
        /// `longtask`.
        LongTask = "long_task",
        /// `long-animation-frame`.
        LongAnimationFrame = "long_animation_frame",
    }
}

/// A script within a long animation frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// Its address, without the query.
    pub url: Option<String>,
    /// The function.
    pub function: Option<String>,
    /// The caller, such as `BUTTON#buy.onclick`.
    pub invoker: Option<String>,
    /// The kind of the caller.
    pub invoker_type: Option<InvokerType>,
    /// How long it ran; of the longest script of an interaction, how long within that.
    pub duration_ms: f64,
    /// The part of it that was layout which the script forced.
    pub forced_layout_ms: f64,
}

wire_enum! {
    /// The kind of a script's caller.
    InvokerType {
        /// A callback, such as a timer's.
        UserCallback = "user_callback",
        /// A listener of an event.
        EventListener = "event_listener",
        /// A promise that was kept.
        ResolvePromise = "resolve_promise",
        /// A promise that was broken.
        RejectPromise = "reject_promise",
        /// The loading of a script.
        ClassicScript = "classic_script",
        /// The loading of a module.
        ModuleScript = "module_script",
    }
}

/// An entry of `Server-Timing`.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerTiming {
    /// The name that the site's server gave it.
    pub name: String,
    /// How long it took.
    pub duration_ms: f64,
}

/// A reason for which a page was not restored from the back/forward cache.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NotRestored {
    /// As the browser names it, such as `unload-listener`.
    pub reason: String,
    /// Whose it is.
    pub kind: ReasonType,
}

wire_enum! {
    /// Whose fault it is that a page was not restored.
    ReasonType {
        /// The page's, or that of a frame of its own site.
        Page = "page",
        /// A frame's of another site.
        CrossOrigin = "cross_origin",
        /// Not told.
        Unknown = "unknown",
    }
}
