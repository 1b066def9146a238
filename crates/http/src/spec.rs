//! The declaration beside a handler.

use pharos_domain::{
    module::Module,
    problem::Suffix,
    role::Role,
    scope::{Scope, ScopeClass},
};

/// The path below which all operations lie.
pub const BASE_PATH: &str = "/api/public/v1";

/// The largest JSON body that is read, where an operation says nothing else.
pub const MAX_BODY_BYTES: usize = 256 * 1024;

/// An operation, declared once. Routes, gates, document and tests read it.
#[derive(Clone, Copy, Debug)]
pub struct OperationSpec {
    /// `operationId`, camelCase.
    pub id: &'static str,
    /// The method; the same path may have others.
    pub method: Verb,
    /// The path below [`BASE_PATH`].
    pub path: &'static str,
    /// The module that it belongs to: tag, plan restriction.
    pub module: Module,
    /// One line for the document.
    pub summary: &'static str,
    /// Whatever a caller must know beyond the summary; may be empty.
    pub description: &'static str,
    /// The scope that it needs; `None`: any valid credential.
    pub scope: Option<Scope>,
    /// The least role that the credential's user must hold in the workspace.
    pub min_role: Role,
    /// The bucket besides `general`.
    pub bucket: Bucket,
    /// The per-route limit of RUM reads, a minute.
    pub rum_read: Option<u32>,
    /// The price of a 2xx that was not served from the cache.
    pub credits: Credits,
    /// How long an answer may be served from the response cache; 0: never.
    pub cache_seconds: u32,
    /// How a list is paged.
    pub paging: Paging,
    /// The window that its parameters choose, and within which bounds.
    pub window: Window,
    /// The days that its window may be compared with.
    pub compare: Compare,
    /// Whether an `Idempotency-Key` is required.
    pub idempotency: Idempotency,
    /// The largest body that is read, in bytes.
    pub body_bytes: usize,
    /// The status of success.
    pub success: u16,
    /// The problems that the handler answers, besides those of the gates.
    pub problems: &'static [Suffix],
}

impl OperationSpec {
    /// A free read that any credential may do; the base of every `SPEC`.
    pub const GET: Self = Self {
        id: "",
        method: Verb::Get,
        path: "",
        module: Module::Platform,
        summary: "",
        description: "",
        scope: None,
        min_role: Role::Viewer,
        bucket: Bucket::General,
        rum_read: None,
        credits: Credits::Free,
        cache_seconds: 0,
        paging: Paging::None,
        window: Window::None,
        compare: Compare::None,
        idempotency: Idempotency::No,
        body_bytes: MAX_BODY_BYTES,
        success: 200,
        problems: &[],
    };

    /// Whether it changes something, and so needs a `write:` or `run:` scope.
    #[must_use]
    pub fn changes_something(&self) -> bool {
        self.scope
            .is_some_and(|scope| matches!(scope.class(), ScopeClass::Write | ScopeClass::Run))
    }

    /// The names of the path's parameters, in order.
    pub fn path_parameters(&self) -> impl Iterator<Item = &'static str> {
        self.path
            .split('/')
            .filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
    }
}

/// The methods of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// GET; answers HEAD too.
    Get,
    /// POST.
    Post,
    /// PUT.
    Put,
    /// PATCH.
    Patch,
    /// DELETE.
    Delete,
}

impl Verb {
    /// The method's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// The verb that answers a method. HEAD is answered by GET.
    #[must_use]
    pub fn answering(method: &str) -> Option<Self> {
        Some(match method {
            "GET" | "HEAD" => Self::Get,
            "POST" => Self::Post,
            "PUT" => Self::Put,
            "PATCH" => Self::Patch,
            "DELETE" => Self::Delete,
            _ => return None,
        })
    }
}

/// The rate-limit bucket of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bucket {
    /// Every authenticated request.
    General,
    /// Analytical reads over a time range.
    HeavyQuery,
    /// Runs.
    Run,
}

impl Bucket {
    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::HeavyQuery => "heavy-query",
            Self::Run => "run",
        }
    }
}

/// The price class of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credits {
    /// Discovery: 0.
    Free,
    /// A cheap read or a write: 1.
    Cheap,
    /// A heavy read of an analytics store: 5.
    Heavy,
    /// A dispatched job or a very wide pull: 25.
    Dispatch,
}

impl Credits {
    /// Credits for one call.
    #[must_use]
    pub const fn price(self) -> u32 {
        match self {
            Self::Free => 0,
            Self::Cheap => 1,
            Self::Heavy => 5,
            Self::Dispatch => 25,
        }
    }
}

/// The page size where an operation names none.
pub const DEFAULT_PAGE_SIZE: u32 = 50;

/// How a list is paged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paging {
    /// The operation answers an object, no list.
    None,
    /// All in one page.
    Single,
    /// By cursor. A limit above `max` is clamped silently.
    Cursor {
        /// The largest page.
        max: u32,
        /// The page where no limit is given.
        default: u32,
    },
    /// By offset, with an exact total.
    Offset {
        /// The largest page.
        max: u32,
        /// The page where no limit is given.
        default: u32,
    },
}

/// The way that a page of a list is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageBy {
    /// `limit` and an opaque `cursor`.
    Cursor,
    /// `limit` and `offset`.
    Offset,
}

impl Paging {
    /// The kind of page that its handler must ask for.
    #[must_use]
    pub const fn asks_for(self) -> Option<PageBy> {
        match self {
            Self::None | Self::Single => None,
            Self::Cursor { .. } => Some(PageBy::Cursor),
            Self::Offset { .. } => Some(PageBy::Offset),
        }
    }

    /// The envelope that it must answer with. A list that is always whole is declared as the only page by cursor. An operation
    /// that declares no paging may answer any shape.
    #[must_use]
    pub const fn answers(self) -> Option<PageBy> {
        match self {
            Self::None => None,
            Self::Single | Self::Cursor { .. } => Some(PageBy::Cursor),
            Self::Offset { .. } => Some(PageBy::Offset),
        }
    }

    /// Cursor paging with the default page size.
    #[must_use]
    pub const fn cursor(max: u32) -> Self {
        Self::Cursor {
            max,
            default: DEFAULT_PAGE_SIZE,
        }
    }
}

impl std::fmt::Display for Paging {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (kind, max, default) = match self {
            Self::None => return f.write_str("none"),
            Self::Single => return f.write_str("single"),
            Self::Cursor { max, default } => ("cursor", max, default),
            Self::Offset { max, default } => ("offset", max, default),
        };
        write!(f, "{kind}:{max}")?;
        if *default == DEFAULT_PAGE_SIZE {
            Ok(())
        } else {
            write!(f, ":{default}")
        }
    }
}

/// The time window that an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// The operation is about no window.
    None,
    /// `period_days`, `start_date`, `end_date`, `period`.
    Full,
    /// `start_date`, `end_date`.
    Dates,
    /// `period_days`.
    PeriodDays,
    /// `days`.
    Days,
    /// Fixed; the response echoes it.
    Fixed,
}

impl Window {
    /// The name in the document.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Full => "full",
            Self::Dates => "dates",
            Self::PeriodDays => "period_days",
            Self::Days => "days",
            Self::Fixed => "fixed",
        }
    }
}

/// The days that a window may be compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Nothing that a caller could ask for.
    None,
    /// As many days, right before: `compare_previous`.
    Previous,
    /// These, or the month before: `compare_previous`, `compare_mode`.
    Mode,
}

/// Whether an operation takes an `Idempotency-Key`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idempotency {
    /// It does not.
    No,
    /// It must have one.
    Required,
}

impl Idempotency {
    /// The name in the document.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Required => "required",
        }
    }
}
