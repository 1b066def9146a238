//! The gates between route and handler, in their order. Each is one small type in a file of its own: what it
//! judges by, and `pass`. A refusal costs nothing.
//!
//! The order is part of the contract: what a caller may learn from a refusal grows with what it has proved.

mod at_fault;
mod cache;
mod credential;
mod credits;
mod idempotency;
mod limits;
mod parameters;
mod plan;
mod role;
mod scope;
mod switches;
pub(crate) mod unrouted;
mod visibility;
mod writable;

use std::{sync::Arc, time::Duration};

use actix_web::{HttpRequest, dev::Payload, http::StatusCode};
use futures_util::future::join;
use pharos_domain::{
    credits::{LogEntry, RequestKey, Settlement, Slip, StoredAnswer},
    identity::Identity,
};
use time::OffsetDateTime;

use self::{
    cache::CacheGate,
    credential::CredentialGate,
    credits::CreditGate,
    idempotency::IdempotencyGate,
    limits::LimitGate,
    parameters::{ParameterGate, Prepared},
    plan::PlanGate,
    role::RoleGate,
    scope::ScopeGate,
    switches::SwitchGate,
    visibility::{Subject, VisibilityGate},
    writable::WritableGate,
};
use crate::{
    kit::Kit,
    metering::{CacheKey, LimitRequest, Lookup},
    operation::{Operation, Reach, Ready, Settles, Success},
    passage::Passage,
    problem::Problem,
    spec::OperationSpec,
};

/// Leads a routed request through the gates to its handler, and settles what it costs.
///
/// # Errors
/// The refusal of the first gate that does not open, or the handler's own.
pub(crate) async fn pass(
    kit: &Kit,
    operation: &Operation,
    path: Vec<(&'static str, String)>,
    request: HttpRequest,
    payload: Payload,
    passage: &mut Passage,
) -> Result<Success, Problem> {
    let spec = operation.spec;
    let source = kit.hops.source(&request);
    let credential = CredentialGate {
        authenticator: &*kit.authenticator,
        source,
    };
    let identity = credential.pass(&request).await?;
    let now = kit.clock.now();
    let subject = Subject::of_path(&path);
    passage.identify(Arc::clone(&identity), subject.workspace, subject.domain);
    let limits = LimitRequest {
        spec,
        credential: identity.credential_id,
        workspace: passage.workspace,
        source,
        now,
    };
    if let Err(refusal) = SwitchGate(kit.switchboard.switches()).pass(spec) {
        limits::look(kit, &limits, passage).await;
        return Err(refusal);
    }
    let judged;
    let mut looked_up = None;
    if spec.cache_seconds == 0 {
        LimitGate(kit.limiter.admit(&limits).await).pass(passage)?;
        judged = judge(operation, &identity, path, request, payload, passage, now).await?;
    } else {
        // Judged ahead, so that limiter and cache are asked in one round trip; refused in order all the same.
        let ahead = judge(operation, &identity, path, request, payload, passage, now).await;
        let key = ahead.as_ref().ok().and_then(|judged| judged.cache_key(passage));
        let look_up = async {
            match &key {
                Some(key) => Some(kit.cache.get(key).await),
                None => None,
            }
        };
        let (admission, found) = join(kit.limiter.admit(&limits), look_up).await;
        LimitGate(admission).pass(passage)?;
        judged = ahead?;
        looked_up = key.zip(found);
    }
    answer(kit, operation, judged, looked_up, passage, now).await
}

/// A request that every gate up to the subscription's has let through; one with faults is refused with them.
struct Judged {
    prepared: Prepared,
    reach: Reach,
}

impl Judged {
    fn cache_key(&self, passage: &Passage) -> Option<CacheKey> {
        let Prepared { call, arguments, .. } = &self.prepared;
        // What is at fault is not answered.
        let is_sound = call.faults.is_empty();
        is_sound.then(|| cache::key(call, arguments, &self.reach, passage))?
    }
}

/// The gates that ask nobody.
async fn judge(
    operation: &Operation,
    identity: &Arc<Identity>,
    path: Vec<(&'static str, String)>,
    request: HttpRequest,
    payload: Payload,
    passage: &mut Passage,
    now: OffsetDateTime,
) -> Result<Judged, Problem> {
    let spec = operation.spec;
    ScopeGate(identity).pass(spec)?;
    let prepared = ParameterGate(operation)
        .pass(identity, path, request, payload, now)
        .await?;
    match reach(spec, identity, &prepared) {
        Ok(reach) => {
            if let Some(access) = &reach.workspace {
                passage.workspace = Some(access.workspace().id);
            }
            Ok(Judged { prepared, reach })
        }
        Err(_) if !prepared.call.faults.is_empty() => Err(Problem::invalid(prepared.call.faults)),
        Err(refusal) => Err(refusal),
    }
}

/// The gates between parameters and idempotency.
fn reach(spec: &OperationSpec, identity: &Arc<Identity>, prepared: &Prepared) -> Result<Reach, Problem> {
    let reach = VisibilityGate(identity).pass(Subject::of_call(&prepared.call))?;
    if let Some(workspace) = reach.workspace.as_ref().map(|access| access.workspace()) {
        RoleGate(workspace).pass(spec)?;
        PlanGate(workspace).pass(spec)?;
        WritableGate(workspace).pass(spec)?;
    }
    Ok(reach)
}

/// The gates that may have an answer already, then the price, then the handler.
async fn answer(
    kit: &Kit,
    operation: &Operation,
    judged: Judged,
    looked_up: Option<(CacheKey, Lookup)>,
    passage: &mut Passage,
    now: OffsetDateTime,
) -> Result<Success, Problem> {
    if !judged.prepared.call.faults.is_empty() {
        return Err(at_fault::refuse(kit, operation, judged, passage).await);
    }
    let Judged {
        prepared: Prepared { call, ready, key, .. },
        mut reach,
    } = judged;
    // Held until the request is over.
    let mut _turn = None;
    if let Some(key) = &key {
        let gate = IdempotencyGate {
            replays: &*kit.replays,
            flights: &kit.flights,
            credential: reach.identity.credential_id,
            now,
        };
        match gate.pass(key).await? {
            idempotency::Found::Answer(stored) => return replayed(stored, passage),
            idempotency::Found::First(turn) => _turn = Some(turn),
        }
    }
    let mut keep = None;
    if let Some((key, found)) = looked_up {
        let gate = CacheGate {
            cache: &*kit.cache,
            flights: &kit.flights,
            key: &key,
        };
        match gate.pass(found, cache::wants_live(&call), passage).await {
            cache::Found::Answer(body) => {
                return Ok(Success {
                    status: StatusCode::OK,
                    body,
                    kept: None,
                });
            }
            cache::Found::Nothing { ticket, turn } => {
                _turn = turn;
                keep = ticket.map(|ticket| (key, ticket));
            }
        }
    }
    let cost = operation.spec.credits.price();
    CreditGate {
        meter: &*kit.meter,
        payer: passage.payer(),
        now,
    }
    .pass(cost)
    .await?;
    if operation.settles != Settles::AfterHandler {
        return write(kit, operation, &mut reach, ready, key, passage).await;
    }
    let success = passage.permit.during(ready(&reach)).await?;
    if cost > 0 {
        let entry = charge(kit, operation, passage)?;
        passage.remaining = Some(kit.meter.settle(entry).await?);
        passage.cost = cost;
        passage.logged = true;
    }
    if let Some(((key, ticket), body)) = keep.zip(success.kept.clone()) {
        let ttl = Duration::from_secs(operation.spec.cache_seconds.into());
        kit.cache.put(&key, ticket, body, ttl).await;
    }
    Ok(success)
}

/// A write or a run: its charge is part of its effect.
async fn write(
    kit: &Kit,
    operation: &Operation,
    reach: &mut Reach,
    ready: Ready,
    key: Option<RequestKey>,
    passage: &mut Passage,
) -> Result<Success, Problem> {
    let slip = Arc::new(Slip::new(charge(kit, operation, passage)?, key));
    reach.slip = Some(Arc::clone(&slip));
    let done = ready(reach).await;
    match slip.settlement() {
        Some(Settlement::Replayed(stored)) => replayed(stored.clone(), passage),
        Some(Settlement::Charged { remaining, answer }) => {
            passage.remaining = Some(*remaining);
            passage.cost = slip.entry().cost;
            passage.logged = true;
            if let Some(payer) = passage.payer() {
                kit.meter.saw(payer, *remaining).await;
            }
            if let Some(domain) = passage.domain {
                kit.cache.changed(domain, operation.spec.module).await;
            }
            let success = done?;
            answer.clone().map_or(Ok(success), as_stored)
        }
        None => match done {
            Ok(_) => Err(Problem::internal("a write was answered that was not charged")),
            Err(refusal) => Err(refusal),
        },
    }
}

/// The row of a request that is charged.
fn charge(kit: &Kit, operation: &Operation, passage: &Passage) -> Result<LogEntry, Problem> {
    let (spec, cost) = (operation.spec, operation.spec.credits.price());
    passage
        .entry(spec, spec.success, cost, kit.clock.now())
        .ok_or_else(|| Problem::internal("nobody pays for this request"))
}

fn replayed(stored: StoredAnswer, passage: &mut Passage) -> Result<Success, Problem> {
    passage.replayed = true;
    as_stored(stored)
}

fn as_stored(stored: StoredAnswer) -> Result<Success, Problem> {
    let StoredAnswer { status, body } = stored;
    let status = StatusCode::from_u16(status).map_err(|error| Problem::internal(error.to_string()))?;
    Ok(Success {
        status,
        body,
        kept: None,
    })
}
