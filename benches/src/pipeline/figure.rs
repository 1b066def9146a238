//! The figures: what is compared, and the targets.

use clap::ValueEnum;
use pharos_http::spec::OperationSpec;

use crate::{
    serve::{
        Variant,
        operations::{CACHED, CHARGED, FIRST, LAST, MIDDLE, READ},
    },
    world::Callers,
};

/// A figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Figure {
    /// A cached answer
    CacheHit,
    /// A cached answer and its row in the credit log
    CacheHitLogged,
    /// A cached answer, Redis counting and caching
    CacheHitRedis,
    /// A charged read, 64 connections
    #[value(name = "charged-read-64")]
    ChargedRead64,
    /// A charged read, 256 connections
    #[value(name = "charged-read-256")]
    ChargedRead256,
    /// A charge alone
    Charge,
    /// A charge alone, all of one workspace
    ChargeHot,
    /// The slowest route
    RouteDepth,
}

/// One side of a figure.
#[derive(Debug)]
pub(super) struct Side {
    /// Its name in the table.
    pub(super) label: &'static str,
    pub(super) variant: Variant,
    pub(super) operation: &'static OperationSpec,
    /// Headers by which an answer shows that it is what is to be measured.
    pub(super) shows: &'static [(&'static str, &'static str)],
}

/// How a figure is measured.
pub(super) enum Method {
    /// The sides in turn, a short while each. The first is the base, the second what is measured; a third is for
    /// information. (Of routes the slowest is compared with the fastest.)
    InTurn(&'static [Side]),
    /// A longer load that counts until everything is written that it caused.
    Sustained {
        base: &'static Side,
        measured: &'static Side,
    },
}

/// The values that a figure ought to reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Targets {
    pub(super) good: f64,
    pub(super) goal: f64,
}

const HIT: &[(&str, &str)] = &[("x-cache", "HIT"), ("x-credits-cost", "0")];
const CHARGED_ONE: &[(&str, &str)] = &[("x-cache", "MISS"), ("x-credits-cost", "1")];
const FREE: &[(&str, &str)] = &[("x-cache", "MISS"), ("x-credits-cost", "0")];

const BARE: Side = bare("a ready body", Variant::Bare, &CACHED);
const POOLED: Side = bare("a read, pool of 16", Variant::BareRead, &READ);
const PIPELINED: Side = bare(
    "a read, 2 connections shared a worker",
    Variant::BarePipelined,
    &READ,
);

const fn bare(label: &'static str, variant: Variant, operation: &'static OperationSpec) -> Side {
    Side {
        label,
        variant,
        operation,
        shows: &[],
    }
}

const fn pharos(
    variant: Variant,
    operation: &'static OperationSpec,
    shows: &'static [(&'static str, &'static str)],
) -> Side {
    Side {
        label: "Pharos",
        variant,
        operation,
        shows,
    }
}

const fn route(label: &'static str, operation: &'static OperationSpec) -> Side {
    Side {
        label,
        ..pharos(Variant::PharosUnlogged, operation, FREE)
    }
}

static CACHE_HIT: [Side; 2] = [BARE, pharos(Variant::PharosUnlogged, &CACHED, HIT)];
static CACHE_HIT_LOGGED: [Side; 2] = [BARE, pharos(Variant::Pharos, &CACHED, HIT)];
static CACHE_HIT_REDIS: [Side; 2] = [
    bare("a ready body after one INCR", Variant::BareIncr, &CACHED),
    pharos(Variant::PharosRedisUnlogged, &CACHED, HIT),
];
static CHARGED_READ: [Side; 3] = [POOLED, pharos(Variant::Pharos, &READ, CHARGED_ONE), PIPELINED];
static CHARGE: [Side; 2] = [
    bare(
        "a transaction a request, pool of 16",
        Variant::BareCharge,
        &CHARGED,
    ),
    pharos(Variant::Pharos, &CHARGED, CHARGED_ONE),
];
static ROUTES: [Side; 3] = [
    route("the first operation", &FIRST),
    route("the one in the middle", &MIDDLE),
    route("the last", &LAST),
];

impl Figure {
    /// The name on the command line and in JSON.
    pub(super) fn name(self) -> String {
        self.to_possible_value()
            .map(|value| value.get_name().to_owned())
            .unwrap_or_default()
    }

    /// A phrase that says which two sides are compared.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::CacheHit => {
                "a cached answer of 2 kB through all gates, limits and cache in memory, the credit log taken out: \
                 of a bare handler with the same body"
            }
            Self::CacheHitLogged => {
                "a cached answer of 2 kB under a sustained load, with one row in the credit log for each request, \
                 counted until the last row is written: of a bare handler with the same body"
            }
            Self::CacheHitRedis => {
                "a cached answer of 2 kB, limits and cache in Redis, the credit log taken out: \
                 of a bare handler that sends one INCR"
            }
            Self::ChargedRead64 | Self::ChargedRead256 => {
                "a read of one row, charged before it is answered: of a bare handler with the same read on a pool"
            }
            Self::Charge => {
                "a charge without a read: of a bare handler that charges in a transaction of its own"
            }
            Self::ChargeHot => {
                "a charge without a read where one workspace pays for everything: of a bare handler that charges in a \
                 transaction of its own"
            }
            Self::RouteDepth => {
                "the slowest of three routes of a registry of 217 operations: of the fastest, with the same answer"
            }
        }
    }

    pub(super) const fn unit(self) -> &'static str {
        match self {
            Self::Charge | Self::ChargeHot => "times the base",
            Self::RouteDepth => "of the fastest",
            _ => "of the base",
        }
    }

    pub(super) const fn targets(self) -> Targets {
        let (good, goal) = match self {
            Self::CacheHit => (0.60, 0.75),
            Self::CacheHitLogged => (0.25, 0.40),
            Self::CacheHitRedis => (0.48, 0.60),
            Self::ChargedRead64 => (0.75, 1.0),
            Self::ChargedRead256 => (1.15, 1.5),
            Self::Charge => (8.0, 12.0),
            Self::ChargeHot => (10.0, 20.0),
            Self::RouteDepth => (0.95, 1.0),
        };
        Targets { good, goal }
    }

    /// Whether an answer waits until something is durable.
    pub(super) const fn waits_for_commits(self) -> bool {
        matches!(
            self,
            Self::ChargedRead64 | Self::ChargedRead256 | Self::Charge | Self::ChargeHot
        )
    }

    pub(super) const fn connections(self) -> usize {
        match self {
            Self::ChargedRead256 => 256,
            _ => 64,
        }
    }

    pub(super) const fn callers(self) -> Callers {
        match self {
            Self::ChargeHot => Callers::OneWorkspace,
            _ => Callers::All,
        }
    }

    pub(super) const fn method(self) -> Method {
        match self {
            Self::CacheHit => Method::InTurn(&CACHE_HIT),
            Self::CacheHitLogged => Method::Sustained {
                base: &CACHE_HIT_LOGGED[0],
                measured: &CACHE_HIT_LOGGED[1],
            },
            Self::CacheHitRedis => Method::InTurn(&CACHE_HIT_REDIS),
            Self::ChargedRead64 | Self::ChargedRead256 => Method::InTurn(&CHARGED_READ),
            Self::Charge | Self::ChargeHot => Method::InTurn(&CHARGE),
            Self::RouteDepth => Method::InTurn(&ROUTES),
        }
    }
}
