//! The rules of the ledger, as a plain model.

use pharos_domain::credits::{Exhaustion, LogEntry};
use proptest::{collection::vec, option, prelude::*};
use time::{Date, Month, OffsetDateTime, Time};

const WORKSPACES: usize = 3;
pub(crate) const USERS: usize = 2;

/// A charge that is to come: whose, how much, and how many minutes before its batch is settled.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    pub(crate) workspace: usize,
    pub(crate) user: usize,
    pub(crate) cost: u32,
    pub(crate) minutes_late: i64,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Settle {
        hours_later: i64,
        wishes: Vec<Wish>,
        again: bool,
    },
    Grant(usize, i64),
    Cap(usize, usize, Option<i64>),
}

pub(crate) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let wish = (
        0..WORKSPACES,
        0..USERS,
        0..12_u32,
        prop_oneof![Just(0), 0..5_000_i64],
    )
        .prop_map(|(workspace, user, cost, minutes_late)| Wish {
            workspace,
            user,
            cost,
            minutes_late,
        });
    let settle = (
        prop_oneof![0..3_i64, 0..1_200_i64],
        vec(wish, 1..16),
        any::<bool>(),
    );
    let settle = settle.prop_map(|(hours_later, wishes, again)| Step::Settle {
        hours_later,
        wishes,
        again,
    });
    let grant = (0..WORKSPACES, 0..80_i64).prop_map(|(workspace, credits)| Step::Grant(workspace, credits));
    let cap = (0..WORKSPACES, 0..USERS, option::of(0..40_i64))
        .prop_map(|(workspace, user, cap)| Step::Cap(workspace, user, cap));
    vec(prop_oneof![6 => settle, 1 => grant, 1 => cap], 1..10)
}

/// The state that a workspace's balance must have.
pub(crate) struct Account {
    pub(crate) anchor: Date,
    pub(crate) granted: u64,
    pub(crate) caps: [Option<u64>; USERS],
    pub(crate) cycle: (OffsetDateTime, OffsetDateTime),
    pub(crate) used: u64,
    pub(crate) used_by: [u64; USERS],
}

/// `months` after the anchor, on its day or the month's last.
fn edge(anchor: Date, months: i32) -> OffsetDateTime {
    let months = i32::from(u8::from(anchor.month())) - 1 + months;
    let month = Month::December.nth_next(u8::try_from(months % 12 + 1).unwrap());
    let year = anchor.year() + months / 12;
    let day = anchor.day().min(month.length(year));
    let date = Date::from_calendar_date(year, month, day).unwrap();
    date.with_time(Time::MIDNIGHT).assume_utc()
}

pub(crate) fn cycle(anchor: Date, at: OffsetDateTime) -> (OffsetDateTime, OffsetDateTime) {
    let months = (0..).find(|months| at < edge(anchor, months + 1)).unwrap();
    (edge(anchor, months), edge(anchor, months + 1))
}

impl Account {
    /// The verdict of a charge, and the time of its row if it has one.
    pub(crate) fn charge(&mut self, user: usize, charge: &LogEntry) -> Result<OffsetDateTime, Exhaustion> {
        let cost = u64::from(charge.cost);
        let refuse = |used, limit| Exhaustion {
            used,
            limit,
            resets_on: self.cycle.1.date(),
            // Equal limits can't be told apart.
            is_cap: limit != self.granted,
        };
        if cost > self.granted.saturating_sub(self.used) {
            return Err(refuse(self.used, self.granted));
        }
        let spent = self.used_by[user];
        if let Some(cap) = self.caps[user]
            && cost > cap.saturating_sub(spent)
        {
            return Err(refuse(spent, cap));
        }
        self.used += cost;
        self.used_by[user] += cost;
        Ok(charge.occurred_at.max(self.cycle.0))
    }
}
