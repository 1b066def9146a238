//! The cost of calls and who pays it: the row of the credit log, balances, and the slip by which a write carries its
//! charge into the transaction of its effect.

use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;
use thiserror::Error;
use time::{Date, OffsetDateTime};

use crate::{
    audit::Actor,
    ids::{CredentialId, DomainId, RequestId, UserId, WorkspaceId},
    store::StoreError,
    wire_enum,
};

wire_enum! {
    /// Where an answer came from.
    CacheOutcome {
        /// From the response cache; it cost nothing.
        Hit = "hit",
        /// It was computed.
        Miss = "miss",
        /// It was computed while Redis was away.
        Unavailable = "unavailable",
    }
}

/// A row of the credit log, which is the access log with prices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// The request. A row is written once for each.
    pub request_id: RequestId,
    /// When it was answered, to the microsecond. It says which cycle pays, and never changes once it is set.
    pub occurred_at: OffsetDateTime,
    /// The workspace that pays.
    pub workspace_id: WorkspaceId,
    /// The credential that was used.
    pub credential_id: CredentialId,
    /// The user behind the credential, whose cap counts.
    pub user_id: UserId,
    /// The domain of the path.
    pub domain_id: Option<DomainId>,
    /// The operation's id.
    pub operation: &'static str,
    /// The status that was answered.
    pub status: u16,
    /// The credits charged; 0 for hits, refusals, replays and discovery.
    pub cost: u32,
    /// Where the answer came from.
    pub cache: CacheOutcome,
}

/// A workspace's credits in its present cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balance {
    /// The workspace that has them.
    pub workspace_id: WorkspaceId,
    /// Credits that the plan grants a cycle.
    pub granted: u64,
    /// Credits charged in this cycle.
    pub used: u64,
    /// The cycle's first moment: midnight, UTC.
    pub cycle_start: OffsetDateTime,
    /// The first moment of the next.
    pub cycle_end: OffsetDateTime,
    /// The share of the user who asks; `None` without a cap.
    pub member: Option<Allowance>,
}

/// A member's share of a workspace's credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The cap, in credits a cycle.
    pub granted: u64,
    /// Credits that the member's credentials used in this cycle.
    pub used: u64,
}

impl Allowance {
    /// The credits left; 0 too where a cap was lowered below what was used already.
    #[must_use]
    pub const fn remaining(self) -> u64 {
        self.granted.saturating_sub(self.used)
    }
}

impl Balance {
    /// The credits left to the workspace; 0 too where a new plan grants less than was used already.
    #[must_use]
    pub const fn remaining(&self) -> u64 {
        self.granted.saturating_sub(self.used)
    }

    /// Why `cost` can't be paid, if it can't.
    #[must_use]
    pub fn exhaustion(&self, cost: u32) -> Option<Exhaustion> {
        let resets_on = self.cycle_end.date();
        let spent = |granted: u64, used: u64, is_cap| Exhaustion {
            used,
            limit: granted,
            resets_on,
            is_cap,
        };
        let lacks = |remaining: u64| remaining < u64::from(cost);
        match self.member {
            _ if lacks(self.remaining()) => Some(spent(self.granted, self.used, false)),
            Some(member) if lacks(member.remaining()) => Some(spent(member.granted, member.used, true)),
            _ => None,
        }
    }
}

/// An allowance that does not suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhaustion {
    /// Credits used in this cycle.
    pub used: u64,
    /// Credits that the cycle has: the plan's, or the member's cap.
    pub limit: u64,
    /// The day that the next cycle begins, UTC.
    pub resets_on: Date,
    /// Whether it is a member's share that does not suffice, and not what the workspace has.
    pub is_cap: bool,
}

/// An `Idempotency-Key` with the fingerprint of its request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestKey {
    /// The key, at most 255 characters. One namespace a credential.
    pub key: String,
    /// SHA-256 over method, path and the SHA-256 of the body.
    pub fingerprint: [u8; 32],
}

/// An answer as it is kept, to be given again byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAnswer {
    /// The status that the first answer had.
    pub status: u16,
    /// The JSON body.
    pub body: Bytes,
}

/// The outcome of a slip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// Charged, in the transaction of the effect.
    Charged {
        /// Credits left to the workspace.
        remaining: u64,
        /// The answer that was stored, where the request has a key.
        answer: Option<StoredAnswer>,
    },
    /// The key had its answer already; nothing was done or charged.
    Replayed(StoredAnswer),
}

/// A change at the console. Nobody pays for it: it is noted in the audit trail instead.
#[derive(Clone, Debug)]
pub struct Note {
    /// Who makes it.
    pub actor: Actor,
    /// When.
    pub at: OffsetDateTime,
    /// Noun and verb, such as `uptime.configure`.
    pub action: &'static str,
    /// The id of what is changed.
    pub subject: String,
    /// Its new values, and its `workspace_id`.
    pub details: serde_json::Value,
}

/// How a write is accounted for.
#[derive(Debug)]
pub enum Account {
    /// It is charged.
    Charge {
        /// The row that the log gets.
        entry: LogEntry,
        /// The request's key.
        key: Option<RequestKey>,
    },
    /// It is noted.
    Note(Note),
}

/// The charge of a write or a run, or its note, on its way into the transaction of its effect. The store that settles a charge
/// notes the outcome here.
#[derive(Debug)]
pub struct Slip {
    account: Account,
    settlement: OnceLock<Settlement>,
}

impl Slip {
    /// A charge that nobody has settled. Only the gates make them, also for people at the console.
    #[must_use]
    pub fn new(entry: LogEntry, key: Option<RequestKey>) -> Self {
        Self::of(Account::Charge { entry, key })
    }

    /// A note, which is never settled. Only the console and the demo make them.
    #[must_use]
    pub fn noting(note: Note) -> Self {
        Self::of(Account::Note(note))
    }

    fn of(account: Account) -> Self {
        Self {
            account,
            settlement: OnceLock::new(),
        }
    }

    /// How the write is accounted for.
    #[must_use]
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// The row that the log gets; `None` where it is noted.
    #[must_use]
    pub fn entry(&self) -> Option<&LogEntry> {
        match &self.account {
            Account::Charge { entry, .. } => Some(entry),
            Account::Note(_) => None,
        }
    }

    /// The credits that it costs.
    #[must_use]
    pub fn cost(&self) -> u32 {
        self.entry().map_or(0, |entry| entry.cost)
    }

    /// Notes the outcome, once the transaction is known to be committed. The first note stands.
    pub fn settle(&self, settlement: Settlement) {
        let _ = self.settlement.set(settlement);
    }

    /// The outcome; `None` until a store has settled the slip.
    #[must_use]
    pub fn settlement(&self) -> Option<&Settlement> {
        self.settlement.get()
    }
}

/// An access whose caller pays for what is done with it, or has it noted. A port that writes asks for this, so nothing is written
/// that is not accounted for in the same transaction.
#[derive(Clone, Debug)]
pub struct Charged<A> {
    access: A,
    slip: Arc<Slip>,
}

impl<A> Charged<A> {
    /// Binds an access to its slip. Only the gates, the console and the demo do.
    #[must_use]
    pub const fn new(access: A, slip: Arc<Slip>) -> Self {
        Self { access, slip }
    }

    /// The slip, for the store that settles it.
    #[must_use]
    pub fn slip(&self) -> &Slip {
        &self.slip
    }
}

impl<A> Deref for Charged<A> {
    type Target = A;

    fn deref(&self) -> &A {
        &self.access
    }
}

/// A [`Charged`] access of a request that carries an `Idempotency-Key`: the answer is stored in the transaction of
/// the effect too.
#[derive(Clone, Debug)]
pub struct Keyed<A>(Charged<A>);

impl<A> Keyed<A> {
    /// Binds an access to a slip with a key, or to a note. Only the gates and the demo do.
    #[must_use]
    pub const fn new(access: A, slip: Arc<Slip>) -> Self {
        Self(Charged::new(access, slip))
    }
}

impl<A> Deref for Keyed<A> {
    type Target = Charged<A>;

    fn deref(&self) -> &Charged<A> {
        &self.0
    }
}

/// The pure function from what a keyed port method did to the answer that is stored with it.
pub type Answering<'a, T> = dyn Fn(&T) -> StoredAnswer + Send + Sync + 'a;

/// Why a charge was not settled. Nothing was charged, and nothing was done.
#[derive(Debug, Error)]
pub enum SettleError {
    /// The allowance does not suffice.
    #[error("the allowance is spent")]
    Exhausted(Exhaustion),
    /// The key has its answer: [`Slip::settlement`] has it.
    #[error("the key was answered before")]
    Replayed,
    /// The key was used for another request.
    #[error("the key belongs to another request")]
    KeyReused,
    /// The request that the key belongs to still runs.
    #[error("the key's request still runs")]
    InProgress,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Who pays for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Payer {
    /// The workspace whose credits are charged.
    pub workspace: WorkspaceId,
    /// The user behind the credential, whose cap counts too.
    pub user: UserId,
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};
    use uuid::Uuid;

    use super::*;

    fn balance(granted: u64, used: u64, member: Option<(u64, u64)>) -> Balance {
        Balance {
            workspace_id: WorkspaceId(Uuid::nil()),
            granted,
            used,
            cycle_start: datetime!(2026-02-28 00:00 UTC),
            cycle_end: datetime!(2026-03-31 00:00 UTC),
            member: member.map(|(granted, used)| Allowance { granted, used }),
        }
    }

    #[test]
    fn the_tighter_of_balance_and_cap_refuses_and_says_its_own_figures() {
        assert_eq!(balance(10, 5, None).exhaustion(5), None);
        assert_eq!(balance(10, 5, Some((5, 0))).exhaustion(5), None);
        let refused = |used, limit, is_cap| {
            Some(Exhaustion {
                used,
                limit,
                resets_on: date!(2026 - 03 - 31),
                is_cap,
            })
        };
        assert_eq!(balance(10, 6, None).exhaustion(5), refused(6, 10, false));
        assert_eq!(balance(10, 5, Some((7, 3))).exhaustion(5), refused(3, 7, true));
        assert_eq!(balance(10, 6, Some((7, 3))).exhaustion(5), refused(6, 10, false));
    }

    #[test]
    fn what_was_used_beyond_a_lowered_allowance_leaves_nothing() {
        assert_eq!(balance(10, 25, Some((5, 9))).remaining(), 0);
        assert_eq!(Allowance { granted: 5, used: 9 }.remaining(), 0);
    }
}
