//! Limits that several nodes share, in Redis: one script a request.

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
};

use async_trait::async_trait;
use bytes::Bytes;
use pharos_domain::{
    hourly_limit::{HourlyAdmission, HourlyLimiter, HourlyRequest},
    permit::Permit,
};
use pharos_http::metering::{Admission, LimitRequest, RateLimiter, Standing};
use redis::{FromRedisValue, ParsingError, Value};
use ring::hmac;
use uuid::Uuid;

use super::{
    hourly::{self, Hour, Hours},
    judgement::{Counts, DayCount, Judgement, MinuteCount, WorkspaceCount, judge, standing},
    keys::{self, Keys},
    permits::{PermitClaim, Permits},
    policy::{Ceilings, Extra, Limits},
    request_time::RequestTime,
};
use crate::redis::{Failure, Redis, script::Script};

/// Counts in Redis. While that is away every request is let in, and none waits for it; limits an hour, which hold
/// whoever guesses passwords, each node then goes by what it let in itself.
pub struct RedisRateLimiter {
    redis: Redis,
    /// Hashes client addresses, so that no list of all addresses undoes it.
    networks: hmac::Key,
    /// The number of the next permit. It starts at random, unlike those of other nodes.
    next_permit: AtomicU64,
    admit: Script,
    permits: Permits,
    hour: Script,
    hours: Hours,
    limits: Limits,
}

impl RedisRateLimiter {
    /// A limiter that counts with all others on this Redis. Under `secret` client addresses are hashed; it is the same
    /// on all nodes, and nobody else's.
    #[must_use]
    pub fn new(redis: Redis, secret: &[u8; 32]) -> Self {
        Self {
            permits: Permits::new(redis.clone()),
            redis,
            networks: hmac::Key::new(hmac::HMAC_SHA256, secret),
            next_permit: AtomicU64::new(Uuid::new_v4().as_u64_pair().1),
            admit: Script::new(include_str!("admit.lua")),
            hour: Script::new(include_str!("hourly.lua")),
            hours: Hours::default(),
            limits: Limits::default(),
        }
    }

    /// The same with other limits than the contract's.
    #[must_use]
    pub fn with(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }
}

impl fmt::Debug for RedisRateLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisRateLimiter")
            .field("redis", &self.redis)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl RateLimiter for RedisRateLimiter {
    async fn admit(&self, request: &LimitRequest) -> Admission {
        let moment = RequestTime::of(request.now);
        let ceilings = Ceilings::of(request.spec, self.limits);
        let takes_permit = ceilings.extra.and_then(Extra::at_once).is_some();
        let number = self.next_permit.fetch_add(1, Ordering::Relaxed).to_le_bytes();
        let claim = takes_permit.then(|| self.permits.claim(request.credential, request.workspace, number));
        let keys = Keys::of(request, ceilings, &self.networks);
        let reply = self
            .redis
            .run::<Reply>(
                &self.admit,
                &keys.list(),
                &argument(moment, ceilings, request.workspace.is_some(), number),
            )
            .await;
        let counts = match reply {
            Ok(reply) => read(reply, ceilings, request.workspace.is_some()),
            // It may have been counted all the same.
            Err(Failure::Lost) => return Admission::Open,
            Err(Failure::Away | Failure::Refused(_)) => {
                claim.into_iter().for_each(PermitClaim::forgo);
                return Admission::Open;
            }
        };
        let Judgement { refusal, standing } = judge(ceilings, &counts, moment);
        match refusal {
            Some((bucket, retry_after_seconds)) => {
                claim.into_iter().for_each(PermitClaim::forgo);
                Admission::Refused {
                    bucket,
                    retry_after_seconds,
                    standing,
                }
            }
            None => Admission::Admitted {
                standing,
                permit: claim.map_or_else(Permit::default, PermitClaim::into_permit),
            },
        }
    }

    async fn standing(&self, request: &LimitRequest) -> Option<Standing> {
        let moment = RequestTime::of(request.now);
        let ceilings = Ceilings::of(request.spec, self.limits);
        // A bucket that holds nothing lets nothing in, so that the script only counts what is there.
        let closed = Ceilings {
            general: 0,
            ..ceilings
        };
        let keys = Keys::of(request, ceilings, &self.networks);
        let has_workspace = request.workspace.is_some();
        let argument = argument(moment, closed, has_workspace, [0; 8]);
        let reply = self
            .redis
            .run::<Reply>(&self.admit, &keys.list(), &argument)
            .await;
        let counts = read(reply.ok()?, ceilings, has_workspace);
        Some(standing(ceilings, &counts, moment))
    }
}

#[async_trait]
impl HourlyLimiter for RedisRateLimiter {
    async fn admit_hourly(&self, request: &HourlyRequest<'_>) -> HourlyAdmission {
        let HourlyRequest {
            limit,
            subject,
            weight,
            now,
        } = *request;
        let (window, elapsed) = hourly::place(now);
        let key = keys::of_hour(&limit, subject, &self.networks);
        // Whole numbers of this size are exact in the doubles that Lua counts with.
        let times = [window, elapsed].map(|whole| (whole as f64).to_le_bytes());
        let mut argument = times.concat();
        argument.extend_from_slice(&limit.per_hour.to_le_bytes());
        argument.extend_from_slice(&weight.to_le_bytes());
        let counted: Result<[i64; 3], Failure> = self.redis.run(&self.hour, &[&key], &argument).await;
        let Ok([window, current, previous]) = counted else {
            return self.hours.admit(request);
        };
        let counted = Hour {
            window,
            current: u32::try_from(current).unwrap_or(u32::MAX),
            previous: u32::try_from(previous).unwrap_or(u32::MAX),
        };
        let admission = counted.judge(elapsed, limit.per_hour, weight);
        if admission == HourlyAdmission::Admitted {
            self.hours.count(request);
        }
        admission
    }
}

/// The argument of the script, packed: see its head.
fn argument(moment: RequestTime, ceilings: Ceilings, has_workspace: bool, number: [u8; 8]) -> Vec<u8> {
    // Whole numbers of this size are exact in the doubles that Lua counts with.
    let [now, slice, day] =
        [moment.ms(), moment.slice(), moment.day()].map(|whole| (whole as f64).to_le_bytes());
    let extra = match ceilings.extra {
        None => 0_u8,
        Some(Extra::HeavyQuery) => 1,
        Some(Extra::Run) => 2,
    };
    let at_once = ceilings.extra.and_then(Extra::at_once);
    let of_workspace = |limit| if has_workspace { limit } else { 0 };
    let mut argument = Vec::with_capacity(60);
    argument.extend([now, slice, day].concat());
    argument.push(extra);
    for limit in [
        ceilings.general,
        ceilings.extra_limit,
        at_once.map_or(0, |at_once| at_once.of_credential),
        ceilings.credential_daily,
        ceilings.rum_read.unwrap_or(0),
        of_workspace(ceilings.workspace_daily),
        of_workspace(at_once.map_or(0, |at_once| at_once.of_workspace)),
    ] {
        argument.extend(limit.to_le_bytes());
    }
    argument.extend(number);
    argument
}

/// The answer of the script: packed, since numbers one by one cost Redis and its client more.
struct Reply([i64; 14]);

impl FromRedisValue for Reply {
    fn from_redis_value(value: Value) -> Result<Self, ParsingError> {
        let packed = Bytes::from_redis_value(value)?;
        let (numbers, _) = packed.as_chunks();
        let numbers: Vec<i64> = numbers.iter().map(|number| i64::from_le_bytes(*number)).collect();
        let unreadable = |_| ParsingError::from(format!("{} bytes of counts", packed.len()));
        numbers.try_into().map(Self).map_err(unreadable)
    }
}

/// Reads the script's counts, those before the request. Slices are told by their age.
fn read(Reply(counts): Reply, ceilings: Ceilings, has_workspace: bool) -> Counts {
    let [
        slice,
        general,
        general_age,
        extra,
        extra_age,
        under_way,
        day,
        used,
        rum_slice,
        rum_read,
        rum_age,
        workspace_day,
        workspace_used,
        workspace_under_way,
    ] = counts;
    let whole = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
    let minute = |slice: i64, used: i64, age: i64| MinuteCount {
        used: whole(used),
        oldest: slice - age,
    };
    Counts {
        general: minute(slice, general, general_age),
        extra: minute(slice, extra, extra_age),
        under_way: whole(under_way),
        credential: DayCount {
            used: whole(used),
            day,
        },
        workspace: has_workspace.then(|| WorkspaceCount {
            day: DayCount {
                used: whole(workspace_used),
                day: workspace_day,
            },
            under_way: whole(workspace_under_way),
        }),
        rum_read: ceilings.rum_read.map(|_| minute(rum_slice, rum_read, rum_age)),
    }
}
