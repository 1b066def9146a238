//! The ledger against the model, over random batches.

use std::collections::{BTreeMap, HashMap};

use pharos_domain::{
    credits::LogEntry,
    ids::{DomainId, UserId, WorkspaceId},
    ledger::Verdict,
};
use proptest::test_runner::{Config, TestRunner};
use time::{Duration, OffsetDateTime, macros::datetime};

use crate::{
    harness::{Fixture, Home, entry},
    model::{Account, Step, USERS, Wish, cycle, steps},
};

/// A case: three workspaces of the model, and the same in the database.
struct World<'a> {
    fixture: &'a Fixture,
    homes: Vec<Home>,
    users: [UserId; USERS],
    accounts: Vec<Account>,
    rows: HashMap<uuid::Uuid, (usize, OffsetDateTime, u32)>,
}

impl<'a> World<'a> {
    async fn new(fixture: &'a Fixture) -> Self {
        let users = [(); USERS].map(|()| UserId::generate());
        let born = [
            datetime!(2023-12-31 23:59:59 UTC),
            datetime!(2024-01-30 00:00 UTC),
            datetime!(2024-01-15 12:00 UTC),
        ];
        let mut homes = Vec::new();
        for user in users {
            let insert = "INSERT INTO users (id, email, name, created_at) VALUES ($1, gen_random_uuid()::text, 'x', now())";
            fixture.sql.execute(insert, &[&user.0]).await.unwrap();
        }
        for at in born {
            let home = Home {
                owner: users[0],
                workspace: WorkspaceId::generate(),
                domain: DomainId::generate(),
            };
            let insert = format!(
                "INSERT INTO workspaces (id, name, plan_key, created_at) VALUES ('{}', 'x', 'default', '{}')",
                home.workspace,
                at.to_string().replace("+00:00:00", "+00")
            );
            fixture.sql.batch_execute(&insert).await.unwrap();
            for user in users {
                let insert = "INSERT INTO members VALUES ($1, $2, 'viewer', now())";
                fixture
                    .sql
                    .execute(insert, &[&home.workspace.0, &user.0])
                    .await
                    .unwrap();
            }
            homes.push(home);
        }
        let accounts = born.map(|at| Account {
            anchor: at.date(),
            granted: 1_000_000,
            caps: [None; USERS],
            cycle: cycle(at.date(), at),
            used: 0,
            used_by: [0; USERS],
        });
        Self {
            fixture,
            homes,
            users,
            accounts: accounts.into(),
            rows: HashMap::new(),
        }
    }

    /// The verdicts of the model on a batch.
    fn settle(&mut self, wishes: &[Wish], batch: &[LogEntry]) -> Vec<Verdict> {
        for (wish, charge) in wishes.iter().zip(batch) {
            let account = &mut self.accounts[wish.workspace];
            if charge.occurred_at >= account.cycle.1 {
                account.cycle = cycle(account.anchor, charge.occurred_at);
                (account.used, account.used_by) = (0, [0; USERS]);
            }
        }
        let mut outcomes = Vec::new();
        for (wish, charge) in wishes.iter().zip(batch) {
            let id = charge.request_id.0;
            let outcome = if self.rows.contains_key(&id) {
                Ok(())
            } else {
                self.accounts[wish.workspace].charge(wish.user, charge).map(|at| {
                    self.rows.insert(id, (wish.workspace, at, charge.cost));
                })
            };
            outcomes.push(outcome);
        }
        let left = |wish: &Wish| {
            let account = &self.accounts[wish.workspace];
            account.granted.saturating_sub(account.used)
        };
        let verdicts = outcomes
            .into_iter()
            .zip(wishes)
            .map(|(outcome, wish)| match outcome {
                Ok(()) => Verdict::Settled {
                    remaining: left(wish),
                },
                Err(exhaustion) => Verdict::Refused(exhaustion),
            });
        verdicts.collect()
    }

    async fn take(&mut self, step: &Step, clock: &mut OffsetDateTime) {
        match step {
            Step::Settle {
                hours_later,
                wishes,
                again,
            } => {
                *clock += Duration::hours(*hours_later);
                let charge = |wish: &Wish| {
                    let at = *clock - Duration::minutes(wish.minutes_late);
                    let mut charge = entry(&self.homes[wish.workspace], wish.cost, at);
                    charge.user_id = self.users[wish.user];
                    charge
                };
                let batch: Vec<LogEntry> = wishes.iter().map(charge).collect();
                let attempts = if *again { &[false, true][..] } else { &[false] };
                for again in attempts {
                    let want = self.settle(wishes, &batch);
                    let got = self.fixture.stores.ledger.settle(&batch, *again).await.unwrap();
                    assert_eq!(got, want, "again: {again}");
                }
            }
            Step::Grant(workspace, credits) => {
                self.fixture.grant(&self.homes[*workspace], *credits).await;
                self.accounts[*workspace].granted = u64::try_from(*credits).unwrap();
            }
            Step::Cap(workspace, user, cap) => {
                self.fixture
                    .cap(&self.homes[*workspace], self.users[*user], *cap)
                    .await;
                self.accounts[*workspace].caps[*user] = cap.map(|cap| u64::try_from(cap).unwrap());
            }
        }
    }

    /// The tables say what the model says, and the log adds up to it.
    async fn check(&self) {
        for (number, (home, account)) in self.homes.iter().zip(&self.accounts).enumerate() {
            let id = home.workspace.0;
            let query = "SELECT used, extract(epoch FROM cycle_start)::bigint FROM credit_balances WHERE workspace_id = $1";
            let balance = self.fixture.sql.query_one(query, &[&id]).await.unwrap();
            let balance: (i64, i64) = (balance.get(0), balance.get(1));
            let want = (
                i64::try_from(account.used).unwrap(),
                account.cycle.0.unix_timestamp(),
            );
            assert_eq!(balance, want);
            for (user, used) in self.users.iter().zip(account.used_by) {
                let query = "SELECT coalesce(sum(u.used), 0)::bigint FROM credit_member_usage AS u
                    JOIN credit_balances AS b USING (workspace_id, cycle_start) WHERE workspace_id = $1 AND user_id = $2";
                let of_user: i64 = self.fixture.value(query, &[&id, &user.0]).await;
                assert_eq!(of_user, i64::try_from(used).unwrap());
            }
            let query = "SELECT request_id, extract(epoch FROM occurred_at)::bigint, cost FROM credit_log WHERE workspace_id = $1";
            let log = self.fixture.sql.query(query, &[&id]).await.unwrap();
            let log: BTreeMap<uuid::Uuid, (i64, i32)> = log
                .iter()
                .map(|row| (row.get(0), (row.get(1), row.get(2))))
                .collect();
            let of_workspace = self
                .rows
                .iter()
                .filter(|(_, (workspace, ..))| *workspace == number);
            let want: BTreeMap<uuid::Uuid, (i64, i32)> = of_workspace
                .map(|(id, (_, at, cost))| (*id, (at.unix_timestamp(), i32::try_from(*cost).unwrap())))
                .collect();
            assert_eq!(log, want);
            let of_cycle: i64 = self
                .fixture
                .value(
                    "SELECT coalesce(sum(cost), 0)::bigint FROM credit_log AS l JOIN credit_balances AS b USING (workspace_id)
                     WHERE workspace_id = $1 AND occurred_at >= cycle_start AND occurred_at < cycle_end",
                    &[&id],
                )
                .await;
            assert_eq!(
                of_cycle, balance.0,
                "the sum of the cycle's rows is what was used"
            );
        }
    }
}

#[test]
fn the_ledger_does_what_the_model_does() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let fixture = runtime.block_on(Fixture::new());
    let config = Config {
        cases: 96,
        max_shrink_iters: 400,
        failure_persistence: None,
        ..Config::default()
    };
    let case = |steps: Vec<Step>| {
        runtime.block_on(async {
            let mut world = World::new(&fixture).await;
            let mut clock = datetime!(2024-01-31 00:30 UTC);
            for step in &steps {
                world.take(step, &mut clock).await;
                world.check().await;
            }
        });
        Ok(())
    };
    TestRunner::new(config).run(&steps(), case).unwrap();
}
