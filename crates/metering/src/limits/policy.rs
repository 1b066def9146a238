//! The ceilings, and which of them an operation counts against.

use pharos_http::{
    metering::LimitBucket,
    spec::{Bucket, OperationSpec},
};

/// How much a credential and a workspace may ask for. The default is the contract's; a bench raises it, to measure
/// what counting costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Requests a minute of a credential.
    pub general: u16,
    /// Analytical reads a minute of a credential.
    pub heavy_queries: u16,
    /// Runs a minute of a credential.
    pub runs: u16,
    /// Requests a UTC day of a credential.
    pub credential_daily: u32,
    /// Requests a UTC day of a workspace. Redis counts to 2^31.
    pub workspace_daily: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            general: 600,
            heavy_queries: 120,
            runs: 20,
            credential_daily: 50_000,
            workspace_daily: 200_000,
        }
    }
}

/// Analytical reads of a credential at once.
pub(super) const HEAVY_QUERIES_AT_ONCE: u32 = 5;
/// Those of a workspace, by all its credentials: fewer than a node has connections for them, so that some are left.
pub(super) const WORKSPACE_HEAVY_QUERIES_AT_ONCE: u32 = 10;
/// After how long the permit of a heavy query is free, whether it was given back or not.
pub(super) const SLOT_MS: i64 = 60_000;

/// The bucket that counts besides `general`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extra {
    HeavyQuery,
    Run,
}

impl Extra {
    pub(super) const fn bucket(self) -> LimitBucket {
        match self {
            Self::HeavyQuery => LimitBucket::HeavyQuery,
            Self::Run => LimitBucket::Run,
        }
    }

    /// How many may be under way at once.
    pub(super) const fn at_once(self) -> Option<AtOnce> {
        match self {
            Self::HeavyQuery => Some(AtOnce {
                of_credential: HEAVY_QUERIES_AT_ONCE,
                of_workspace: WORKSPACE_HEAVY_QUERIES_AT_ONCE,
            }),
            Self::Run => None,
        }
    }
}

/// How many requests may be under way at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AtOnce {
    pub(super) of_credential: u32,
    pub(super) of_workspace: u32,
}

/// The limits that a request counts against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ceilings {
    pub(super) general: u32,
    pub(super) extra: Option<Extra>,
    /// The limit of `extra`, a minute.
    pub(super) extra_limit: u32,
    pub(super) credential_daily: u32,
    pub(super) workspace_daily: u32,
    /// Requests a minute of this route by one client address.
    pub(super) rum_read: Option<u32>,
}

impl Ceilings {
    pub(super) fn of(spec: &OperationSpec, limits: Limits) -> Self {
        let (extra, extra_limit) = match spec.bucket {
            Bucket::General => (None, 0),
            Bucket::HeavyQuery => (Some(Extra::HeavyQuery), limits.heavy_queries),
            Bucket::Run => (Some(Extra::Run), limits.runs),
        };
        Self {
            general: limits.general.into(),
            extra,
            extra_limit: extra_limit.into(),
            credential_daily: limits.credential_daily,
            workspace_daily: limits.workspace_daily,
            rum_read: spec.rum_read,
        }
    }
}
