//! From what is counted to what is said: admitted or refused, by which bucket, until when, and what the headers show.
//! Both backings judge with it.

use pharos_http::metering::{LimitBucket, Standing};

use super::{
    policy::Ceilings,
    request_time::{RequestTime, day_ends_at, slice_leaves_at},
};

/// How long to wait where too many heavy queries are under way: nobody knows when one of them will end.
const SLOT_WAIT_MS: i64 = 1_000;

/// The count of a minute, before the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MinuteCount {
    pub(super) used: u32,
    /// The oldest slice in which something was counted; the present one where nothing was.
    pub(super) oldest: i64,
}

/// The count of a day, before the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DayCount {
    pub(super) used: u32,
    pub(super) day: i64,
}

/// The counts of a workspace, before the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WorkspaceCount {
    pub(super) day: DayCount,
    /// Heavy queries that are under way.
    pub(super) under_way: u32,
}

/// Everything that a request counts in, before it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) general: MinuteCount,
    /// The bucket of heavy queries or of runs; it counts only where the request is one of these.
    pub(super) extra: MinuteCount,
    /// Heavy queries of the credential that are under way.
    pub(super) under_way: u32,
    pub(super) credential: DayCount,
    pub(super) workspace: Option<WorkspaceCount>,
    pub(super) rum_read: Option<MinuteCount>,
}

/// Whether a request is refused, and the figures for its headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Judgement {
    /// The bucket that refuses, and in how many seconds it would not.
    pub(super) refusal: Option<(LimitBucket, u32)>,
    pub(super) standing: Standing,
}

/// Judges a request that came at `moment`. Where several buckets refuse, the tighter one does so first, the daily
/// ceilings last.
pub(super) fn judge(ceilings: Ceilings, counts: &Counts, moment: RequestTime) -> Judgement {
    weigh(ceilings, counts, moment).done()
}

/// The figures for the headers of a request that is not judged.
pub(super) fn standing(ceilings: Ceilings, counts: &Counts, moment: RequestTime) -> Standing {
    weigh(ceilings, counts, moment).standing
}

fn weigh(ceilings: Ceilings, counts: &Counts, moment: RequestTime) -> Weighing {
    let mut weighing = Weighing {
        moment,
        refusal: None,
        standing: Standing {
            limit: u32::MAX,
            remaining: u32::MAX,
            reset: i64::MAX,
        },
    };
    if let (Some(limit), Some(count)) = (ceilings.rum_read, counts.rum_read) {
        weighing.weigh(
            LimitBucket::RumRead,
            limit,
            count.used,
            slice_leaves_at(count.oldest),
        );
    }
    if let Some(extra) = ceilings.extra {
        let (bucket, count) = (extra.bucket(), counts.extra);
        weighing.weigh_shown(
            bucket,
            ceilings.extra_limit,
            count.used,
            slice_leaves_at(count.oldest),
        );
        if let Some(at_once) = extra.at_once() {
            let again_at = moment.ms() + SLOT_WAIT_MS;
            weighing.weigh(
                LimitBucket::HeavyQueriesAtOnce,
                at_once.of_credential,
                counts.under_way,
                again_at,
            );
            if let Some(WorkspaceCount { under_way, .. }) = counts.workspace {
                let bucket = LimitBucket::WorkspaceHeavyQueriesAtOnce;
                weighing.weigh(bucket, at_once.of_workspace, under_way, again_at);
            }
        }
    }
    let general = counts.general;
    weighing.weigh_shown(
        LimitBucket::General,
        ceilings.general,
        general.used,
        slice_leaves_at(general.oldest),
    );
    let DayCount { used, day } = counts.credential;
    weighing.weigh_shown(
        LimitBucket::CredentialDaily,
        ceilings.credential_daily,
        used,
        day_ends_at(day),
    );
    if let Some(WorkspaceCount {
        day: DayCount { used, day },
        ..
    }) = counts.workspace
    {
        weighing.weigh_shown(
            LimitBucket::WorkspaceDaily,
            ceilings.workspace_daily,
            used,
            day_ends_at(day),
        );
    }
    weighing
}

struct Weighing {
    moment: RequestTime,
    refusal: Option<(LimitBucket, u32)>,
    standing: Standing,
}

impl Weighing {
    /// A bucket that may refuse.
    fn weigh(&mut self, bucket: LimitBucket, limit: u32, used: u32, frees_at: i64) {
        if self.refusal.is_none() && used >= limit {
            self.refusal = Some((bucket, self.moment.seconds_until(frees_at)));
        }
    }

    /// A bucket that may refuse, and that headers may show.
    fn weigh_shown(&mut self, bucket: LimitBucket, limit: u32, used: u32, frees_at: i64) {
        self.weigh(bucket, limit, used, frees_at);
        let remaining = limit.saturating_sub(used);
        if remaining < self.standing.remaining {
            self.standing = Standing {
                limit,
                remaining,
                reset: frees_at.div_euclid(1_000),
            };
        }
    }

    /// An admitted request takes one from each bucket, so the one with the least remaining stays the same.
    fn done(self) -> Judgement {
        let taken = u32::from(self.refusal.is_none());
        Judgement {
            refusal: self.refusal,
            standing: Standing {
                remaining: self.standing.remaining.saturating_sub(taken),
                ..self.standing
            },
        }
    }
}
