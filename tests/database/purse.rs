//! Credits in tests: what a workspace is granted, what its members may use, and what was charged.

use pharos_domain::{
    credits::{Exhaustion, LogEntry},
    ids::UserId,
    ledger::Verdict,
};

use crate::harness::{Fixture, Home};

/// A charge from three sides: the sum of the log, the use that the balance says, and the sum of its members' use.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Charged {
    pub(crate) logged: i64,
    pub(crate) used: i64,
    pub(crate) of_members: i64,
}

impl Charged {
    /// All three figures are this one, as they must be in a first cycle.
    pub(crate) fn of(used: i64) -> Self {
        Self {
            logged: used,
            used,
            of_members: used,
        }
    }
}

impl Fixture {
    /// Gives the home's workspace a plan of so many credits.
    pub(crate) async fn grant(&self, home: &Home, credits: i64) {
        let key = format!("grants-{credits}");
        let plan = "INSERT INTO plans (key, name, credits_per_cycle, modules) VALUES ($1, $1, $2, '{}')
                    ON CONFLICT DO NOTHING";
        self.sql.execute(plan, &[&key, &credits]).await.unwrap();
        let change = "UPDATE workspaces SET plan_key = $1 WHERE id = $2";
        self.sql
            .execute(change, &[&key, &home.workspace.0])
            .await
            .unwrap();
    }

    /// Caps what a member may use.
    pub(crate) async fn cap(&self, home: &Home, user: UserId, cap: Option<i64>) {
        let change = "UPDATE members SET credit_cap = $1 WHERE workspace_id = $2 AND user_id = $3";
        let changed = self
            .sql
            .execute(change, &[&cap, &home.workspace.0, &user.0])
            .await;
        assert_eq!(changed.unwrap(), 1);
    }

    /// The charges of the home's workspace.
    pub(crate) async fn charged(&self, home: &Home) -> Charged {
        let row = self
            .sql
            .query_one(
                "SELECT (SELECT coalesce(sum(cost), 0) FROM credit_log WHERE workspace_id = $1)::bigint,
                     (SELECT used FROM credit_balances WHERE workspace_id = $1),
                     (SELECT coalesce(sum(used), 0) FROM credit_member_usage WHERE workspace_id = $1)::bigint",
                &[&home.workspace.0],
            )
            .await
            .unwrap();
        Charged {
            logged: row.get(0),
            used: row.get(1),
            of_members: row.get(2),
        }
    }

    /// Settles a batch for the first time.
    pub(crate) async fn settle(&self, charges: &[LogEntry]) -> Vec<Verdict> {
        self.stores.ledger.settle(charges, false).await.unwrap()
    }
}

pub(crate) fn settled(remaining: u64) -> Verdict {
    Verdict::Settled { remaining }
}

/// Refused in the first cycle of a home, which has spent what it is granted.
pub(crate) fn refused(used: u64, limit: u64) -> Verdict {
    Verdict::Refused(Exhaustion {
        used,
        limit,
        resets_on: time::macros::date!(2026 - 04 - 30),
        is_cap: false,
    })
}

/// The same of a member who has spent their share.
pub(crate) fn capped(used: u64, limit: u64) -> Verdict {
    let Verdict::Refused(exhaustion) = refused(used, limit) else {
        unreachable!("it is refused");
    };
    Verdict::Refused(Exhaustion {
        is_cap: true,
        ..exhaustion
    })
}

/// The statement that settles any batch, to be run by hand on a connection.
pub(crate) fn by_hand(charges: &[LogEntry], again: bool) -> String {
    let moment = |charge: &LogEntry| charge.occurred_at.to_string().replace("+00:00:00", "+00");
    let column = |kind: &str, value: &dyn Fn(&LogEntry) -> String| {
        let values: Vec<String> = charges
            .iter()
            .map(|charge| format!("'{}'", value(charge)))
            .collect();
        format!("ARRAY[{}]::{kind}[]", values.join(", "))
    };
    let columns = [
        column("uuid", &|charge| charge.request_id.to_string()),
        column("timestamptz", &moment),
        column("uuid", &|charge| charge.workspace_id.to_string()),
        column("uuid", &|charge| charge.credential_id.to_string()),
        column("uuid", &|charge| charge.user_id.to_string()),
        column("uuid", &|charge| charge.request_id.to_string()),
        column("text", &|charge| charge.operation.to_owned()),
        column("smallint", &|charge| charge.status.to_string()),
        column("integer", &|charge| charge.cost.to_string()),
        column("text", &|charge| charge.cache.to_string()),
    ];
    format!("SELECT * FROM settle_charges({}, {again})", columns.join(", "))
}
