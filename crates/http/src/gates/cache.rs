//! Response cache: was the question answered a moment ago? Then that answer, which costs nothing.

use pharos_domain::{credits::CacheOutcome, identity::DomainAccess, ids::parse_hyphenated};

use crate::{
    extract::{argument::Call, window::horizon},
    flights::{Flight, Flights, Turn},
    metering::{CacheKey, CachedAnswer, Lookup, ResponseCache, Ticket},
    operation::Reach,
    request_context::RequestContext,
    spec::Window,
};

/// The key of an answer; `None` where the operation is not cached, or nobody pays. `arguments` is the key of the
/// handler's arguments.
pub(super) fn key(call: &Call, arguments: &str, reach: &Reach, context: &RequestContext) -> Option<CacheKey> {
    if call.spec.cache_seconds == 0 {
        return None;
    }
    // A handler may know a fixed window without an argument.
    let today = (call.spec.window == Window::Fixed).then(|| horizon(call).today);
    let of_path: Vec<String> = call
        .path
        .iter()
        .map(|(_, value)| parse_hyphenated(value).map_or_else(|| value.clone(), |id| id.to_string()))
        .collect();
    // An answer that spans workspaces is as wide as the credential.
    let caller = reach.workspace.is_none().then_some(reach.identity.credential_id);
    Some(CacheKey {
        operation: call.spec.id,
        module: call.spec.module,
        workspace: context.workspace?,
        domain: reach.domain.as_ref().map(DomainAccess::id),
        parameters: format!("{today:?} {of_path:?} {caller:?} {arguments}"),
    })
}

/// Whether the caller asks for an answer that is computed now. It is kept all the same.
pub(super) fn wants_live(call: &Call) -> bool {
    call.query_parameter("freshness") == Some("live")
}

/// Asks for an answer that is kept.
pub(super) struct CacheGate<'a> {
    pub(super) cache: &'a dyn ResponseCache,
    pub(super) flights: &'a Flights,
    pub(super) key: &'a CacheKey,
}

/// The answer from the cache, or how to compute one.
pub(super) enum FromCache {
    /// A cached answer.
    Answer(CachedAnswer),
    /// Nothing that will do.
    Nothing {
        /// The ticket to keep the computed answer under; `None` where it can't be kept.
        ticket: Option<Ticket>,
        /// Equal requests wait until this is dropped, and then find what was kept; where nothing was, they go on at once.
        turn: Option<Turn>,
    },
}

impl CacheGate<'_> {
    /// `found` is what a first look-up found.
    pub(super) async fn pass(&self, found: Lookup, is_live: bool, context: &mut RequestContext) -> FromCache {
        match found {
            Lookup::Hit(answer, _) if !is_live => hit(answer, context),
            Lookup::Hit(_, ticket) | Lookup::Miss(ticket) if is_live => FromCache::Nothing {
                ticket: Some(ticket),
                turn: None,
            },
            Lookup::Unavailable => unavailable(context),
            Lookup::Hit(_, ticket) | Lookup::Miss(ticket) => {
                let turn = self.flights.join(Flight::Answer(self.key.clone())).await;
                let again = if turn.waited {
                    self.cache.get(self.key).await
                } else {
                    Lookup::Miss(ticket)
                };
                match again {
                    Lookup::Hit(answer, _) => hit(answer, context),
                    Lookup::Miss(ticket) => FromCache::Nothing {
                        ticket: Some(ticket),
                        // The answer of the one before can't be kept, perhaps because it had to wait for something.
                        // To wait for each other would add that up.
                        turn: (!turn.waited).then_some(turn),
                    },
                    Lookup::Unavailable => unavailable(context),
                }
            }
        }
    }
}

fn hit(answer: CachedAnswer, context: &mut RequestContext) -> FromCache {
    context.cache = CacheOutcome::Hit;
    FromCache::Answer(answer)
}

fn unavailable(context: &mut RequestContext) -> FromCache {
    context.cache = CacheOutcome::Unavailable;
    FromCache::Nothing {
        ticket: None,
        turn: None,
    }
}
