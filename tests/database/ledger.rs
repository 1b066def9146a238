//! The verdicts on a batch, case by case.

use pharos_domain::{
    credits::{Allowance, Payer},
    ledger::Verdict,
    role::Role,
};
use time::{Duration, macros::datetime};

use crate::{
    harness::{Fixture, Home, NOW, after, entry},
    purse::{Charged, capped, refused, settled},
};

fn payer(home: &Home) -> Payer {
    Payer {
        workspace: home.workspace,
        user: home.owner,
    }
}

#[tokio::test]
async fn what_fits_is_admitted_in_order_and_a_refusal_stops_nothing_smaller() {
    let fixture = Fixture::new().await;
    let (ada, eve) = (fixture.home("ada").await, fixture.home("eve").await);
    fixture.grant(&ada, 10).await;
    let batch = [
        entry(&ada, 4, NOW),
        entry(&eve, 25, NOW),
        entry(&ada, 5, after(1)),
        entry(&ada, 2, after(2)),
        entry(&ada, 1, after(3)),
        entry(&ada, 1, after(4)),
        entry(&ada, 0, after(5)),
    ];
    let verdicts = fixture.settle(&batch).await;
    let (left, hers) = (settled(0), settled(999_975));
    let want = [
        left.clone(),
        hers,
        left.clone(),
        refused(9, 10),
        left.clone(),
        refused(10, 10),
        left,
    ];
    assert_eq!(verdicts, want);
    assert_eq!(fixture.charged(&ada).await, Charged::of(10));
    assert_eq!(fixture.charged(&eve).await, Charged::of(25));
    let rows: i64 = fixture.value("SELECT count(*) FROM credit_log", &[]).await;
    assert_eq!(rows, 5, "a refusal has no row");
}

#[tokio::test]
async fn a_row_says_what_was_asked() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let charge = entry(&home, 3, after(7) + Duration::microseconds(123_456));
    fixture.settle(std::slice::from_ref(&charge)).await;
    let same: bool = fixture
        .value(
            "SELECT (workspace_id, occurred_at, request_id, credential_id, domain_id, operation, status, cost, cache)
                 = ($1, '2026-03-31 09:15:07.123456Z'::timestamptz, $2, $3, $4, 'listUptimeChecks', 200::smallint, 3, 'miss')
             FROM credit_log",
            &[&home.workspace.0, &charge.request_id.0, &charge.credential_id.0, &home.domain.0],
        )
        .await;
    assert!(same);
}

#[tokio::test]
async fn a_cap_counts_for_all_that_a_member_uses_and_for_no_other() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let bob = fixture.member(home.workspace, "bob", Role::Viewer).await;
    let of_bob = |cost| {
        let mut charge = entry(&home, cost, NOW);
        charge.user_id = bob;
        charge
    };
    fixture.grant(&home, 20).await;
    // Credits that were used without a cap count once there is one.
    assert_eq!(fixture.settle(&[of_bob(3)]).await, [settled(17)]);
    fixture.cap(&home, bob, Some(8)).await;
    let batch = [of_bob(4), of_bob(2), entry(&home, 9, NOW), of_bob(1), of_bob(5)];
    let left = || settled(3);
    // The last is more than the balance has too: its figures come first.
    assert_eq!(
        fixture.settle(&batch).await,
        [left(), capped(7, 8), left(), left(), refused(17, 20)]
    );
    assert_eq!(fixture.charged(&home).await, Charged::of(17));
    fixture.cap(&home, bob, Some(2)).await;
    assert_eq!(
        fixture.settle(&[of_bob(1), of_bob(0)]).await,
        [capped(8, 2), left()]
    );
    let balance = fixture
        .stores
        .ledger
        .balance(
            Payer {
                user: bob,
                ..payer(&home)
            },
            NOW,
        )
        .await;
    assert_eq!(
        balance.unwrap().unwrap().member,
        Some(Allowance { granted: 2, used: 8 })
    );
    fixture.cap(&home, bob, None).await;
    assert_eq!(fixture.settle(&[of_bob(3)]).await, [settled(0)]);
}

#[tokio::test]
async fn a_new_cycle_begins_with_the_first_charge_in_it() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.grant(&home, 10).await;
    fixture.cap(&home, home.owner, Some(7)).await;
    let edge = datetime!(2026-04-30 00:00 UTC);
    let moment = Duration::microseconds(1);
    let balance = async |at| {
        fixture
            .stores
            .ledger
            .balance(payer(&home), at)
            .await
            .unwrap()
            .unwrap()
    };
    assert_eq!(
        fixture.settle(&[entry(&home, 7, edge - moment)]).await,
        [settled(3)]
    );
    let old = balance(edge - moment).await;
    assert_eq!((old.used, old.member.unwrap().used, old.cycle_end), (7, 7, edge));
    // Nothing was charged since, and all the same nothing is used any more.
    let new = balance(edge).await;
    assert_eq!((new.granted, new.used, new.member.unwrap().used), (10, 0, 0));
    assert_eq!(
        (new.cycle_start, new.cycle_end),
        (edge, datetime!(2026-05-31 00:00 UTC))
    );

    assert_eq!(fixture.settle(&[entry(&home, 5, edge)]).await, [settled(5)]);
    assert_eq!(balance(edge).await.member.unwrap().used, 5);
    // A node whose clock is late: the old cycle is closed, the present one pays.
    let late = [entry(&home, 2, edge - moment), entry(&home, 1, edge)];
    let verdicts = fixture.settle(&late).await;
    let pharos_domain::ledger::Verdict::Refused(why) = verdicts[1].clone() else {
        panic!("{verdicts:?}");
    };
    assert_eq!((verdicts[0].clone(), why.used, why.limit), (settled(3), 7, 7));
    assert_eq!(why.resets_on, time::macros::date!(2026 - 05 - 31));
    let by_cycle: String = fixture
        .value(
            "SELECT string_agg(cost || ' at ' || (occurred_at AT TIME ZONE 'UTC'), ', ' ORDER BY occurred_at, cost)
             FROM credit_log",
            &[],
        )
        .await;
    let rows = [
        "7 at 2026-04-29 23:59:59.999999",
        "2 at 2026-04-30 00:00:00",
        "5 at 2026-04-30 00:00:00",
    ];
    assert_eq!(by_cycle, rows.join(", "));
}

#[tokio::test]
async fn an_allowance_that_was_lowered_leaves_nothing_and_still_lets_through_what_is_free() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    assert_eq!(
        fixture.settle(&[entry(&home, 100, NOW)]).await,
        [settled(999_900)]
    );
    fixture.grant(&home, 50).await;
    let batch = [entry(&home, 1, NOW), entry(&home, 0, NOW)];
    assert_eq!(fixture.settle(&batch).await, [refused(100, 50), settled(0)]);
    let balance = fixture
        .stores
        .ledger
        .balance(payer(&home), NOW)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((balance.granted, balance.used, balance.remaining()), (50, 100, 0));
    assert_eq!(balance.member, None);
}

#[tokio::test]
async fn a_payer_that_is_not_there_has_no_balance_and_pays_nothing() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let nowhere = Home {
        workspace: pharos_domain::ids::WorkspaceId::generate(),
        ..fixture.home("eve").await
    };
    let ledger = &fixture.stores.ledger;
    assert_eq!(ledger.balance(payer(&nowhere), NOW).await.unwrap(), None);
    let batch = [entry(&home, 5, NOW), entry(&nowhere, 5, NOW)];
    let verdicts = ledger.settle(&batch[1..], false).await.unwrap();
    assert_eq!(verdicts, [Verdict::Unsettled]);
    // Nobody else pays for it.
    let verdicts = [settled(999_995), Verdict::Unsettled];
    assert_eq!(fixture.settle(&batch).await, verdicts);
    assert_eq!(fixture.charged(&home).await, Charged::of(5));
}
