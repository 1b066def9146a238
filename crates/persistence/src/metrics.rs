//! The metrics of the database's pools, of notifications, of jobs and of what is set aside.

use std::time::Duration;

use deadpool::Status;
use metrics::{
    Gauge, Histogram, Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};
use pharos_domain::jobs::JobKind;

use crate::set_aside::kind::Kind;

const POOL_SIZE: &str = "pharos_database_pool_size";
const POOL_AVAILABLE: &str = "pharos_database_pool_available";
const POOL_WAITING: &str = "pharos_database_pool_waiting";
const ACQUIRE_DURATION: &str = "pharos_database_acquire_duration_seconds";
const HEARTBEAT_LAG: &str = "pharos_listener_heartbeat_lag_seconds";
const LISTENING: &str = "pharos_listener_listening";
const SET_ASIDE: &str = "pharos_set_aside_total";
const UPKEEP_FAILURES: &str = "pharos_upkeep_failures_total";
const JOBS_CLAIMED: &str = "pharos_jobs_claimed_total";
const JOBS_ENDED: &str = "pharos_jobs_ended_total";

/// Describes the metrics of this crate, and begins those at zero whose labels are known.
pub fn describe() {
    describe_gauge!(
        POOL_SIZE,
        Unit::Count,
        "Connections of a pool that are open, in use or not"
    );
    describe_gauge!(
        POOL_AVAILABLE,
        Unit::Count,
        "Connections of a pool that are open and not in use"
    );
    describe_gauge!(
        POOL_WAITING,
        Unit::Count,
        "Callers that wait for a connection of a pool"
    );
    describe_histogram!(
        ACQUIRE_DURATION,
        Unit::Seconds,
        "Time until a caller had its connection of a pool, or was told that there is none"
    );
    describe_gauge!(
        HEARTBEAT_LAG,
        Unit::Seconds,
        "Time that the last heartbeat took through PostgreSQL and back"
    );
    describe_gauge!(
        LISTENING,
        Unit::Count,
        "1 while changes are heard; at 0 nothing that is kept in memory is used"
    );
    describe_counter!(
        SET_ASIDE,
        Unit::Count,
        "Rows set aside because they can't be stored or read, by kind"
    );
    describe_counter!(
        UPKEEP_FAILURES,
        Unit::Count,
        "Steps of the hourly upkeep that failed on this node, by step"
    );
    describe_counter!(JOBS_CLAIMED, Unit::Count, "Jobs claimed by this node, by kind");
    describe_counter!(
        JOBS_ENDED,
        Unit::Count,
        "Attempts at jobs that ended, by kind and result: succeeded, failed (it is tried again), dead, or lost to another worker"
    );
    for kind in Kind::ALL {
        counter!(SET_ASIDE, "kind" => kind.as_str()).increment(0);
    }
}

/// The metrics of one pool.
#[derive(Clone)]
pub(crate) struct PoolMetrics {
    size: Gauge,
    available: Gauge,
    waiting: Gauge,
    acquire: Histogram,
}

impl PoolMetrics {
    pub(crate) fn of(pool: &str) -> Self {
        let gauge = |name: &'static str| gauge!(name, "pool" => pool.to_owned());
        Self {
            size: gauge(POOL_SIZE),
            available: gauge(POOL_AVAILABLE),
            waiting: gauge(POOL_WAITING),
            acquire: histogram!(ACQUIRE_DURATION, "pool" => pool.to_owned()),
        }
    }

    /// Records how long a caller waited.
    pub(crate) fn acquired(&self, took: Duration) {
        self.acquire.record(took);
    }

    /// Records how the pool is.
    pub(crate) fn sample(&self, status: &Status) {
        let set = |gauge: &Gauge, number: usize| gauge.set(u32::try_from(number).unwrap_or(u32::MAX));
        set(&self.size, status.size);
        set(&self.available, status.available);
        set(&self.waiting, status.waiting);
    }
}

/// How far behind a listener is, and whether it hears.
#[derive(Debug)]
pub(crate) struct ListenerMetrics {
    lag: Gauge,
    listening: Gauge,
}

impl ListenerMetrics {
    pub(crate) fn new() -> Self {
        Self {
            lag: gauge!(HEARTBEAT_LAG),
            listening: gauge!(LISTENING),
        }
    }

    /// Records how long a heartbeat took.
    pub(crate) fn heard(&self, lag: Duration) {
        self.lag.set(lag);
    }

    /// Records whether changes are heard.
    pub(crate) fn sample(&self, is_listening: bool) {
        self.listening.set(u8::from(is_listening));
    }
}

/// Records that a row was set aside.
pub(crate) fn set_aside(kind: Kind) {
    counter!(SET_ASIDE, "kind" => kind.as_str()).increment(1);
}

/// Records that a step of upkeep failed.
pub(crate) fn upkeep_failed(step: &'static str) {
    counter!(UPKEEP_FAILURES, "step" => step).increment(1);
}

/// How an attempt at a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobEnd {
    /// It is done.
    Succeeded,
    /// It was not time for it yet: it is put off.
    PutOff,
    /// It is tried again.
    Failed,
    /// It is not tried again.
    Dead,
    /// Another worker has it by now.
    Lost,
}

impl JobEnd {
    const ALL: [Self; 5] = [
        Self::Succeeded,
        Self::PutOff,
        Self::Failed,
        Self::Dead,
        Self::Lost,
    ];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::PutOff => "put_off",
            Self::Failed => "failed",
            Self::Dead => "dead",
            Self::Lost => "lost",
        }
    }
}

/// Begins the metrics of jobs of a kind at zero.
pub fn jobs_of(kind: JobKind) {
    jobs_claimed(kind, 0);
    for end in JobEnd::ALL {
        jobs_ended(kind, end, 0);
    }
}

/// Records that a job was claimed.
pub fn job_claimed(kind: JobKind) {
    jobs_claimed(kind, 1);
}

/// Records how an attempt at a job ended.
pub fn job_ended(kind: JobKind, end: JobEnd) {
    jobs_ended(kind, end, 1);
}

fn jobs_claimed(kind: JobKind, jobs: u64) {
    counter!(JOBS_CLAIMED, "kind" => kind.as_str()).increment(jobs);
}

fn jobs_ended(kind: JobKind, end: JobEnd, jobs: u64) {
    counter!(JOBS_ENDED, "kind" => kind.as_str(), "result" => end.as_str()).increment(jobs);
}
