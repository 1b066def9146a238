//! A balance follows its workspace's plan and members, whoever changes them.

use pharos_domain::{patch::Patch, role::Role};

use crate::{
    harness::{Fixture, Home, NOW, actor, connect, entry, plan},
    purse::{capped, refused, settled},
    retries::blocked,
};

/// How many balances don't say what their plans and members do.
async fn wrong(fixture: &Fixture) -> i64 {
    let query = "SELECT count(*) FROM credit_balances AS b
        JOIN workspaces AS w ON w.id = b.workspace_id
        JOIN plans AS p ON p.key = w.plan_key
        WHERE b.granted <> p.credits_per_cycle OR b.capped_members <> (
            SELECT count(*) FROM members AS m WHERE m.workspace_id = w.id AND m.credit_cap IS NOT NULL
        )";
    fixture.value(query, &[]).await
}

async fn granted(fixture: &Fixture, home: &Home) -> i64 {
    let query = "SELECT granted FROM credit_balances WHERE workspace_id = $1";
    fixture.value(query, &[&home.workspace.0]).await
}

#[tokio::test]
async fn a_balance_is_granted_what_its_plan_is_changed_to() {
    let fixture = Fixture::new().await;
    let (ada, eve) = (fixture.home("ada").await, fixture.home("eve").await);
    fixture.grant(&ada, 10).await;
    assert_eq!(fixture.settle(&[entry(&ada, 4, NOW)]).await, [settled(6)]);
    let mut default = plan("default");
    default.credits_per_cycle = 7;
    let plans = &fixture.stores.plans;
    plans.put(&default, &actor(), NOW).await.unwrap();
    assert_eq!(
        (granted(&fixture, &ada).await, granted(&fixture, &eve).await),
        (10, 7)
    );
    assert_eq!(fixture.settle(&[entry(&eve, 8, NOW)]).await, [refused(0, 7)]);
    let late = fixture.home("zoe").await;
    assert_eq!(granted(&fixture, &late).await, 7);
    assert_eq!(wrong(&fixture).await, 0);
}

/// Sessions that change a plan and a workspace's plan at the same time, in each order.
#[tokio::test]
async fn whoever_changes_plans_at_the_same_time_leaves_what_the_plan_says() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let make = "INSERT INTO plans (key, name, credits_per_cycle, modules) VALUES ('a', 'A', 10, '{}'), ('b', 'B', 20, '{}')";
    fixture.sql.batch_execute(make).await.unwrap();
    let join = |key: &str| {
        format!(
            "UPDATE workspaces SET plan_key = '{key}' WHERE id = '{}'",
            home.workspace
        )
    };
    let (first, second) = (
        connect(fixture.test.url()).await,
        connect(fixture.test.url()).await,
    );
    let change = "UPDATE plans SET credits_per_cycle = credits_per_cycle + 1 WHERE key = 'a'";
    let open =
        "INSERT INTO workspaces (id, name, plan_key, created_at) VALUES (gen_random_uuid(), 'x', 'a', now())";
    let changes = [
        (
            "whoever is new waits for the plan",
            "default",
            change.to_owned(),
            open.to_owned(),
        ),
        (
            "whoever joins waits for the plan",
            "default",
            change.to_owned(),
            join("a"),
        ),
        (
            "the plan waits for whoever joins",
            "default",
            join("a"),
            change.to_owned(),
        ),
        (
            "the plan waits for whoever leaves",
            "a",
            join("b"),
            change.to_owned(),
        ),
    ];
    for (case, before, earlier, later) in changes {
        fixture.sql.batch_execute(&join(before)).await.unwrap();
        first.batch_execute(&format!("BEGIN; {earlier}")).await.unwrap();
        let commit = async {
            blocked(&fixture, &later).await;
            first.batch_execute("COMMIT").await.unwrap();
        };
        let (changed, ()) = futures_util::join!(second.batch_execute(&later), commit);
        changed.unwrap();
        assert_eq!(wrong(&fixture).await, 0, "{case}");
    }
}

/// A charge that waits for a balance goes by what it finds when the balance is its own.
#[tokio::test]
async fn a_charge_goes_by_what_changed_while_it_waited() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let changes = [
        format!(
            "UPDATE members SET credit_cap = 3 WHERE user_id = '{}'",
            home.owner
        ),
        "UPDATE plans SET credits_per_cycle = 3 WHERE key = 'default'".to_owned(),
    ];
    for change in changes {
        let other = connect(fixture.test.url()).await;
        other.batch_execute(&format!("BEGIN; {change}")).await.unwrap();
        let commit = async {
            blocked(&fixture, "WITH charged AS").await;
            other.batch_execute("COMMIT").await.unwrap();
        };
        let batch = [entry(&home, 4, NOW)];
        let (verdicts, ()) = futures_util::join!(fixture.settle(&batch), commit);
        let expected = if change.contains("credit_cap") {
            capped(0, 3)
        } else {
            refused(0, 3)
        };
        assert_eq!(verdicts, [expected], "{change}");
        let undo = "UPDATE members SET credit_cap = NULL";
        fixture.sql.batch_execute(undo).await.unwrap();
    }
}

#[tokio::test]
async fn members_with_a_cap_are_counted() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let bob = fixture.member(home.workspace, "bob", Role::Viewer).await;
    let members = &fixture.stores.members;
    let put = async |cap| {
        members
            .put(home.workspace, bob, Role::Member, cap, &actor(), NOW)
            .await
            .unwrap();
        assert_eq!(wrong(&fixture).await, 0);
        fixture
            .value::<i32>("SELECT sum(capped_members)::integer FROM credit_balances", &[])
            .await
    };
    assert_eq!(put(Patch::Set(5)).await, 1);
    assert_eq!(put(Patch::Set(6)).await, 1);
    assert_eq!(put(Patch::Keep).await, 1);
    fixture.cap(&home, home.owner, Some(9)).await;
    assert_eq!(put(Patch::Clear).await, 1);
    assert_eq!(put(Patch::Set(0)).await, 2);
    members.remove(home.workspace, bob, &actor(), NOW).await.unwrap();
    assert_eq!(wrong(&fixture).await, 0);
    assert_eq!(put(Patch::Set(1)).await, 2);
}
