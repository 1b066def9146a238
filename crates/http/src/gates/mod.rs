//! The gates between route and handler, in their order. Each is one small type in a file of its own: what it
//! judges by, and `pass`. A refusal costs nothing.
//!
//! The order is part of the contract: what a caller may learn from a refusal grows with what it has proved.

mod at_fault;
mod cache;
mod credential;
mod credits;
mod idempotency;
mod judged;
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
use pharos_domain::credits::{RequestKey, Settlement, Slip, StoredAnswer};
use time::OffsetDateTime;

use self::{
    cache::CacheGate,
    credential::CredentialGate,
    credits::CreditGate,
    idempotency::{IdempotencyGate, form_key},
    judged::{Judged, judge, let_through},
    limits::LimitGate,
    parameters::{ParameterGate, Prepared, Sent},
    switches::SwitchGate,
    visibility::Subject,
};
use crate::{
    kit::Kit,
    metering::{CacheKey, CachedAnswer, LimitRequest, Lookup},
    operation::{Operation, Reach, Ready, Settles, Success},
    problem::Problem,
    request_context::RequestContext,
    user_call::UserCall,
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
    context: &mut RequestContext,
) -> Result<Success, Problem> {
    let spec = operation.spec;
    let source = kit.source(&request);
    let credential = CredentialGate {
        authenticator: &*kit.authenticator,
        source,
    };
    let identity = credential.pass(&request, context).await?;
    let now = kit.clock.now();
    let subject = Subject::of_path(&path);
    context.identify(Arc::clone(&identity), subject.workspace, subject.domain);
    let limits = LimitRequest {
        spec,
        credential: identity.credential_id,
        workspace: context.workspace,
        source,
        now,
    };
    if let Err(refusal) = SwitchGate(kit.switchboard.switches()).pass(spec) {
        limits::look(kit, &limits, context).await;
        return Err(refusal);
    }
    let judged;
    let mut looked_up = None;
    if spec.cache_seconds == 0 {
        LimitGate(kit.limiter.admit(&limits).await).pass(context)?;
        judged = judge(operation, &identity, path, request, payload, context, now).await?;
    } else {
        // Judged ahead, so that limiter and cache are asked in one round trip; refused in order all the same.
        let ahead = judge(operation, &identity, path, request, payload, context, now).await;
        let key = ahead.as_ref().ok().and_then(|judged| judged.cache_key(context));
        let look_up = async {
            match &key {
                Some(key) => Some(kit.cache.get(key).await),
                None => None,
            }
        };
        let (admission, found) = join(kit.limiter.admit(&limits), look_up).await;
        LimitGate(admission).pass(context)?;
        judged = ahead?;
        looked_up = key.zip(found);
    }
    answer(kit, operation, judged, looked_up, context, now).await
}

/// Leads a call of somebody who has signed in to the console through the gates to its handler, and settles what it costs. The
/// gates of the credential and of its scope are left out: the session and the role stand for both.
///
/// # Errors
/// The refusal of the first gate that does not open, or the handler's own.
pub(crate) async fn pass_user(
    kit: &Kit,
    operation: &Operation,
    request: HttpRequest,
    call: UserCall<'_>,
    context: &mut RequestContext,
) -> Result<Success, Problem> {
    let spec = operation.spec;
    let UserCall {
        operation: _,
        identity,
        source,
        path,
        body,
        key,
    } = call;
    let identity = Arc::new(identity.clone());
    let now = kit.clock.now();
    let subject = Subject::of_path(&path);
    context.identify(Arc::clone(&identity), subject.workspace, subject.domain);
    SwitchGate(kit.switchboard.switches()).pass(spec)?;
    let limits = LimitRequest {
        spec,
        credential: identity.credential_id,
        workspace: context.workspace,
        source,
        now,
    };
    LimitGate(kit.limiter.admit(&limits).await).pass(context)?;
    let body = body.map(ToString::to_string).unwrap_or_default();
    let key = (operation.settles == Settles::WithEffectAndKey)
        .then(|| Ok(form_key(key, spec, &path, body.as_bytes())));
    let sent = Sent {
        query: "",
        body: body.as_bytes(),
        key,
    };
    let prepared = ParameterGate(operation).read(&identity, path, request, sent, now)?;
    let judged = let_through(spec, &identity, prepared, context)?;
    answer(kit, operation, judged, None, context, now).await
}

/// The gates that may have an answer already, then the price, then the handler.
async fn answer(
    kit: &Kit,
    operation: &Operation,
    judged: Judged,
    looked_up: Option<(CacheKey, Lookup)>,
    context: &mut RequestContext,
    now: OffsetDateTime,
) -> Result<Success, Problem> {
    if !judged.prepared.call.faults.is_empty() {
        return Err(at_fault::refuse(kit, operation, judged, context).await);
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
            idempotency::KeyOutcome::Answer(stored) => return replayed(stored, context),
            idempotency::KeyOutcome::First(turn) => _turn = Some(turn),
        }
    }
    let mut keep = None;
    if let Some((key, found)) = looked_up {
        let gate = CacheGate {
            cache: &*kit.cache,
            flights: &kit.flights,
            key: &key,
        };
        let found = gate.pass(found, cache::wants_live(&call), context).await;
        kit.metrics.looked_up(context.cache);
        match found {
            cache::FromCache::Answer(CachedAnswer { body, tag, next }) => {
                return Ok(Success {
                    status: StatusCode::OK,
                    body,
                    tag: Some(tag),
                    next,
                    kept: None,
                });
            }
            cache::FromCache::Nothing { ticket, turn } => {
                _turn = turn;
                keep = ticket.map(|ticket| (key, ticket));
            }
        }
    }
    let cost = operation.spec.credits.price();
    CreditGate {
        meter: &*kit.meter,
        payer: context.payer(),
        now,
    }
    .pass(cost)
    .await?;
    if operation.settles != Settles::AfterHandler {
        return write(kit, operation, &mut reach, ready, key, context).await;
    }
    let success = context.permit.during(ready(&reach)).await?;
    if cost > 0 {
        let entry = context.charge(operation.spec, kit.clock.now())?;
        context.remaining = Some(kit.meter.settle(entry).await?);
        context.cost = cost;
        context.logged = true;
    }
    if let (Some((key, ticket)), Some(body), Some(tag)) = (keep, &success.kept, &success.tag) {
        let answer = CachedAnswer {
            body: body.clone(),
            tag: tag.clone(),
            next: success.next.clone(),
        };
        let ttl = Duration::from_secs(operation.spec.cache_seconds.into());
        kit.cache.put(&key, ticket, answer, ttl).await;
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
    context: &mut RequestContext,
) -> Result<Success, Problem> {
    let entry = context.charge(operation.spec, kit.clock.now())?;
    let slip = Arc::new(Slip::new(entry, key));
    reach.slip = Some(Arc::clone(&slip));
    let done = ready(reach).await;
    match slip.settlement() {
        Some(Settlement::Replayed(stored)) => replayed(stored.clone(), context),
        Some(Settlement::Charged { remaining, answer }) => {
            context.remaining = Some(*remaining);
            context.cost = slip.cost();
            context.logged = true;
            if let Some(payer) = context.payer() {
                kit.meter.saw(payer, *remaining).await;
            }
            if let Some(domain) = context.domain {
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

fn replayed(stored: StoredAnswer, context: &mut RequestContext) -> Result<Success, Problem> {
    context.replayed = true;
    as_stored(stored)
}

fn as_stored(stored: StoredAnswer) -> Result<Success, Problem> {
    let StoredAnswer { status, body } = stored;
    let status = StatusCode::from_u16(status).map_err(|error| Problem::internal(error.to_string()))?;
    Ok(Success {
        status,
        body,
        tag: None,
        next: None,
        kept: None,
    })
}
