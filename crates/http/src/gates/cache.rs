//! Response cache: was the question answered a moment ago? Then that answer, which costs nothing.

use bytes::Bytes;
use pharos_domain::credits::CacheOutcome;

use crate::{
    extract::window,
    flights::{Flight, Flights, Turn},
    metering::{CacheKey, Lookup, ResponseCache, Ticket},
    operation::{Call, Reach},
    passage::Passage,
    spec::Window,
};

/// What an answer is found by; `None` where the operation is not cached, or nobody pays.
pub(super) fn key(call: &Call, reach: &Reach, passage: &Passage) -> Option<CacheKey> {
    if call.spec.cache_seconds == 0 {
        return None;
    }
    let days = match call.spec.window {
        Window::None => None,
        _ => Some(window::identity(call)?),
    };
    let is_of_window =
        |name: &str| window::names(call.spec.window, call.spec.compare).any(|known| known == name);
    let mut pairs: Vec<(&str, &str)> = call
        .query
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        // How fresh an answer is asked for is not what is asked for, and a window is the days that it means.
        .filter(|(name, _)| *name != "freshness" && !is_of_window(name))
        .chain(
            call.path
                .iter()
                .filter(|(name, _)| *name != "domain_id")
                .map(|(name, value)| (*name, value.as_str())),
        )
        .collect();
    pairs.extend(days.as_deref().map(|days| ("", days)));
    pairs.sort_unstable();
    let mut parameters = String::new();
    for (name, value) in pairs {
        // Lengths, since names and values may hold any sign that could part them.
        parameters.push_str(&format!("{}:{name}{}:{value}", name.len(), value.len()));
    }
    if reach.workspace.is_none() {
        // What spans workspaces is as wide as the credential.
        parameters.push_str(&reach.identity.credential_id.to_string());
    }
    Some(CacheKey {
        operation: call.spec.id,
        module: call.spec.module,
        workspace: passage.workspace?,
        domain: passage.domain,
        parameters,
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

/// What the gate found.
pub(super) enum Found {
    /// The answer.
    Answer(Bytes),
    /// Nothing that will do.
    Nothing {
        /// What the computed answer is to be kept under; `None` where it can't be kept.
        ticket: Option<Ticket>,
        /// Equal requests wait until this is dropped, and then find what was kept; where nothing was, they go on at once.
        turn: Option<Turn>,
    },
}

impl CacheGate<'_> {
    /// `found` is what a first look-up found.
    pub(super) async fn pass(&self, found: Lookup, is_live: bool, passage: &mut Passage) -> Found {
        match found {
            Lookup::Hit(body, _) if !is_live => hit(body, passage),
            Lookup::Hit(_, ticket) | Lookup::Miss(ticket) if is_live => Found::Nothing {
                ticket: Some(ticket),
                turn: None,
            },
            Lookup::Unavailable => unavailable(passage),
            Lookup::Hit(_, ticket) | Lookup::Miss(ticket) => {
                let turn = self.flights.join(Flight::Answer(self.key.clone())).await;
                let again = if turn.waited {
                    self.cache.get(self.key).await
                } else {
                    Lookup::Miss(ticket)
                };
                match again {
                    Lookup::Hit(body, _) => hit(body, passage),
                    Lookup::Miss(ticket) => Found::Nothing {
                        ticket: Some(ticket),
                        // What the one before computed can't be kept, perhaps because it had to wait for something. To
                        // wait for each other would add that up.
                        turn: (!turn.waited).then_some(turn),
                    },
                    Lookup::Unavailable => unavailable(passage),
                }
            }
        }
    }
}

fn hit(body: Bytes, passage: &mut Passage) -> Found {
    passage.cache = CacheOutcome::Hit;
    Found::Answer(body)
}

fn unavailable(passage: &mut Passage) -> Found {
    passage.cache = CacheOutcome::Unavailable;
    Found::Nothing {
        ticket: None,
        turn: None,
    }
}
