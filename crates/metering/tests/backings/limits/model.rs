//! The limits as one would write them down: a list of all that was admitted, and nothing clever.

use pharos_http::{
    metering::{LimitBucket, LimitRequest, Standing},
    spec::Bucket,
};
use pharos_metering::limits::policy::Limits;

use super::Client;

const SLICE: i64 = 5_000;
const MINUTE: i64 = 60_000;
const DAY: i64 = 86_400_000;

/// The fate of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Admitted(Standing),
    Refused(LimitBucket, u32, Standing),
}

/// A request that was admitted: the bucket, whose it is, and the beginning of the span that it counts in.
#[derive(Debug)]
struct Taken {
    bucket: LimitBucket,
    owner: String,
    span: i64,
}

/// Remembers everything.
#[derive(Debug)]
pub(crate) struct Model {
    limits: Limits,
    taken: Vec<Taken>,
    /// Beginnings of the present spans, by kind and owner.
    present: Vec<(String, i64)>,
    /// Heavy queries under way: whose, since when, and which.
    under_way: Vec<(String, i64, usize)>,
    permits: usize,
}

impl Model {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            limits,
            taken: Vec::new(),
            present: Vec::new(),
            under_way: Vec::new(),
            permits: 0,
        }
    }

    /// Judges a request, and tells the permit that it took.
    pub(crate) fn admit(&mut self, client: Client, request: &LimitRequest) -> (Outcome, Option<usize>) {
        let limits = self.limits;
        let now = i64::try_from(request.now.unix_timestamp_nanos().div_euclid(1_000_000)).unwrap();
        let credential = client.credential.to_string();
        let mut buckets = Vec::new();
        let minute = self.present("minute", &credential, now, SLICE, MINUTE);
        if let Some(limit) = request.spec.rum_read {
            let route = format!("{} {:?}", request.spec.id, client.source);
            let minute = self.present("minute", &route, now, SLICE, MINUTE);
            buckets.push((LimitBucket::RumRead, route, limit, minute, MINUTE));
        }
        match request.spec.bucket {
            Bucket::General => {}
            Bucket::HeavyQuery => {
                let limit = limits.heavy_queries.into();
                buckets.push((LimitBucket::HeavyQuery, credential.clone(), limit, minute, MINUTE));
            }
            Bucket::Run => {
                let limit = limits.runs.into();
                buckets.push((LimitBucket::Run, credential.clone(), limit, minute, MINUTE));
            }
        }
        let limit = limits.general.into();
        buckets.push((LimitBucket::General, credential.clone(), limit, minute, MINUTE));
        let day = self.present("day", &credential, now, DAY, DAY);
        let limit = limits.credential_daily;
        buckets.push((LimitBucket::CredentialDaily, credential.clone(), limit, day, DAY));
        if let Some(workspace) = client.workspace.map(|id| id.to_string()) {
            let day = self.present("day", &workspace, now, DAY, DAY);
            let limit = limits.workspace_daily;
            buckets.push((LimitBucket::WorkspaceDaily, workspace, limit, day, DAY));
        }

        let is_heavy = request.spec.bucket == Bucket::HeavyQuery;
        let mut held_by = vec![(LimitBucket::HeavyQueriesAtOnce, credential, 5)];
        if let Some(workspace) = client.workspace {
            let bucket = LimitBucket::WorkspaceHeavyQueriesAtOnce;
            held_by.push((bucket, workspace.to_string(), 10));
        }
        let mut refusal = None;
        let mut standings = Vec::new();
        for (bucket, owner, limit, present, window) in &buckets {
            let spans: Vec<i64> = self
                .taken
                .iter()
                .filter(|taken| {
                    taken.bucket == *bucket && taken.owner == *owner && taken.span > present - window
                })
                .map(|taken| taken.span)
                .collect();
            let used = u32::try_from(spans.len()).unwrap();
            let free_at = spans.iter().min().unwrap_or(present) + window;
            if used >= *limit {
                refusal = refusal.or(Some((*bucket, seconds(free_at - now))));
            }
            if *bucket != LimitBucket::RumRead {
                standings.push(Standing {
                    limit: *limit,
                    remaining: limit - used.min(*limit),
                    reset: free_at / 1_000,
                });
            }
            if *bucket == LimitBucket::HeavyQuery {
                for (bucket, owner, at_once) in &held_by {
                    let is_held = |(other, since, _): &&(String, i64, usize)| {
                        other == owner && (now - since).abs() < MINUTE
                    };
                    if self.under_way.iter().filter(is_held).count() >= *at_once {
                        refusal = refusal.or(Some((*bucket, 1)));
                    }
                }
            }
        }
        // The first of those that have the least.
        let mut standing = standings[0];
        for other in standings {
            if other.remaining < standing.remaining {
                standing = other;
            }
        }
        if let Some((bucket, seconds)) = refusal {
            return (Outcome::Refused(bucket, seconds, standing), None);
        }
        standing.remaining -= 1;
        for (bucket, owner, _, span, _) in buckets {
            self.taken.push(Taken { bucket, owner, span });
        }
        self.permits += 1;
        if is_heavy {
            for (_, owner, _) in held_by {
                self.under_way
                    .retain(|(other, since, _)| *other != owner || (now - since).abs() < MINUTE);
                self.under_way.push((owner, now, self.permits));
            }
        }
        (Outcome::Admitted(standing), is_heavy.then_some(self.permits))
    }

    pub(crate) fn give_back(&mut self, permit: usize) {
        self.under_way.retain(|(.., taken)| *taken != permit);
    }

    /// The beginning of the span that `now` counts in: the present one, unless time has moved on; and if that lies
    /// ahead by more than a window, everything is forgotten that was counted.
    fn present(&mut self, kind: &str, owner: &str, now: i64, span: i64, window: i64) -> i64 {
        let begin = now.div_euclid(span) * span;
        let name = format!("{kind} {owner}");
        let Some((_, present)) = self.present.iter_mut().find(|(known, _)| *known == name) else {
            self.present.push((name, begin));
            return begin;
        };
        if begin >= *present - window && begin <= *present {
            return *present;
        }
        if begin < *present {
            let is_daily =
                |bucket| matches!(bucket, LimitBucket::CredentialDaily | LimitBucket::WorkspaceDaily);
            self.taken
                .retain(|taken| taken.owner != owner || is_daily(taken.bucket) != (kind == "day"));
        }
        *present = begin;
        begin
    }
}

fn seconds(milliseconds: i64) -> u32 {
    u32::try_from((milliseconds + 999) / 1_000).unwrap().max(1)
}
