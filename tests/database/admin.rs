//! The changes that operators make, and the log of them.

use pharos_account::admin::{
    AdminError,
    audit::{AuditQuery, AuditStore},
    domains::MOST_OF_A_WORKSPACE,
};
use pharos_auth::keys::{
    manage::{self, Grace},
    secret::Environment,
};
use pharos_domain::{
    audit::Actor,
    identity::SubscriptionStatus,
    ids::{DomainId, UserId, WorkspaceId},
    module::Module,
    patch::Patch,
    role::Role,
    switches::Switch,
};
use time::Duration;

use crate::harness::{Fixture, NOW, actor, after, plan};

#[tokio::test]
async fn an_address_has_one_user_whatever_its_case() {
    let fixture = Fixture::new().await;
    let users = &fixture.stores.users;
    let ada = users
        .create(" Ada@Example.org ", "Ada", &actor(), NOW)
        .await
        .unwrap();
    assert_eq!(ada.email, "ada@example.org");
    let again = users.create("ADA@example.ORG", "Ada", &actor(), NOW).await;
    assert!(matches!(again, Err(AdminError::Exists("user"))), "{again:?}");
    assert_eq!(users.find("ADA@Example.org").await.unwrap().unwrap().id, ada.id);
    assert!(users.find("eve@example.org").await.unwrap().is_none());
    let none = users.create("ada", "Ada", &actor(), NOW).await;
    assert!(matches!(none, Err(AdminError::Invalid(_))), "{none:?}");
    assert_eq!(users.list().await.unwrap().len(), 1);
    let known = users.by_ids(&[ada.id]).await.unwrap();
    assert_eq!(known.len(), 1);
    assert_eq!(known[0].email, ada.email);
    assert!(users.by_ids(&[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_user_stays_disabled_since_the_first_time() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let users = &fixture.stores.users;
    let disable = async |disabled, at| {
        let user = users
            .set_disabled(home.owner, disabled, &actor(), after(at))
            .await;
        user.unwrap().disabled_at
    };
    assert_eq!(disable(true, 1).await, Some(after(1)));
    assert_eq!(disable(true, 2).await, Some(after(1)));
    assert_eq!(disable(false, 3).await, None);
    let unknown = users.set_disabled(UserId::generate(), true, &actor(), NOW).await;
    assert!(matches!(unknown, Err(AdminError::NotFound("user"))));
}

#[tokio::test]
async fn a_workspace_needs_its_plan_and_its_owner() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let workspaces = &fixture.stores.workspace_admin;
    let no_plan = workspaces.create("w", home.owner, "gold", &actor(), NOW).await;
    assert!(matches!(no_plan, Err(AdminError::NotFound("plan"))));
    let nobody = workspaces
        .create("w", UserId::generate(), "default", &actor(), NOW)
        .await;
    assert!(matches!(nobody, Err(AdminError::NotFound("user"))));
    let no_plan = workspaces.set_plan(home.workspace, "gold", &actor(), NOW).await;
    assert!(matches!(no_plan, Err(AdminError::NotFound("plan"))));
    let nowhere = WorkspaceId::generate();
    let status = SubscriptionStatus::Canceled;
    let unknown = workspaces.set_subscription(nowhere, status, &actor(), NOW).await;
    assert!(matches!(unknown, Err(AdminError::NotFound("workspace"))));
    let changed = workspaces
        .set_subscription(home.workspace, status, &actor(), NOW)
        .await;
    assert_eq!(changed.unwrap().subscription_status, status);
    let listed = workspaces.list().await.unwrap();
    assert_eq!((listed.len(), listed[0].plan.as_str()), (1, "default"));
}

#[tokio::test]
async fn a_workspace_keeps_an_owner() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let members = &fixture.stores.members;
    let bob = fixture.member(home.workspace, "bob", Role::Admin).await;
    let remove = async |user| members.remove(home.workspace, user, &actor(), NOW).await;
    let put = async |user, role| {
        members
            .put(home.workspace, user, role, Patch::Keep, &actor(), NOW)
            .await
    };
    assert!(matches!(remove(home.owner).await, Err(AdminError::LastOwner)));
    assert!(matches!(
        put(home.owner, Role::Admin).await,
        Err(AdminError::LastOwner)
    ));
    put(home.owner, Role::Owner).await.unwrap();
    put(bob, Role::Owner).await.unwrap();

    // Both at once: one of them stays.
    let (first, second) = tokio::join!(remove(home.owner), remove(bob));
    assert_eq!(
        [first, second]
            .iter()
            .filter(|result| matches!(result, Err(AdminError::LastOwner)))
            .count(),
        1
    );
    let left = members.list(home.workspace).await.unwrap();
    assert_eq!((left.len(), left[0].role), (1, Role::Owner));
    let gone = remove(UserId::generate()).await;
    assert!(matches!(gone, Err(AdminError::NotFound("member"))), "{gone:?}");
}

/// Nobody who can sign in would look after it.
#[tokio::test]
async fn an_owner_who_is_disabled_is_no_other_owner() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let members = &fixture.stores.members;
    let bob = fixture.member(home.workspace, "bob", Role::Owner).await;
    let disable = async |disabled| {
        let users = &fixture.stores.users;
        users.set_disabled(bob, disabled, &actor(), NOW).await.unwrap();
    };
    disable(true).await;
    let gone = members.remove(home.workspace, home.owner, &actor(), NOW).await;
    assert!(matches!(gone, Err(AdminError::LastOwner)), "{gone:?}");
    let handed = members
        .hand_over(home.workspace, home.owner, bob, &actor(), NOW)
        .await;
    assert!(matches!(handed, Err(AdminError::LastOwner)), "{handed:?}");
    disable(false).await;
    members
        .hand_over(home.workspace, home.owner, bob, &actor(), NOW)
        .await
        .unwrap();
    disable(true).await;
    // Nor is the last one taken out, who may be enabled again.
    let gone = members.remove(home.workspace, bob, &actor(), NOW).await;
    assert!(matches!(gone, Err(AdminError::LastOwner)), "{gone:?}");
}

/// As the form of a page does that was loaded before the roles were others.
#[tokio::test]
async fn a_user_changes_members_by_the_roles_of_that_moment() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let members = &fixture.stores.members;
    let bob = fixture.member(home.workspace, "bob", Role::Admin).await;
    let eve = fixture.member(home.workspace, "eve", Role::Viewer).await;
    let put = async |by: &Actor, user, role| {
        members
            .put(home.workspace, user, role, Patch::Keep, by, NOW)
            .await
    };
    let remove = async |by: &Actor, user| members.remove(home.workspace, user, by, NOW).await;
    let (by_bob, by_eve) = (Actor::user(bob), Actor::user(eve));
    put(&by_bob, eve, Role::Member).await.unwrap();
    // Eve has become an owner while the page with her role was before Bob.
    put(&actor(), eve, Role::Owner).await.unwrap();
    for refused in [
        put(&by_bob, eve, Role::Viewer).await.map(|_| ()),
        remove(&by_bob, eve).await,
        put(&by_bob, bob, Role::Owner).await.map(|_| ()),
    ] {
        assert!(matches!(refused, Err(AdminError::Invalid(_))), "{refused:?}");
    }
    // And Bob is no admin any more.
    put(&by_eve, bob, Role::Member).await.unwrap();
    let refused = put(&by_bob, bob, Role::Admin).await;
    assert!(matches!(refused, Err(AdminError::Invalid(_))), "{refused:?}");
    remove(&by_bob, bob).await.unwrap();
    let refused = put(&by_bob, bob, Role::Viewer).await;
    assert!(matches!(refused, Err(AdminError::Invalid(_))), "{refused:?}");
    let roles: Vec<Role> = members
        .list(home.workspace)
        .await
        .unwrap()
        .iter()
        .map(|member| member.role)
        .collect();
    assert_eq!(roles, [Role::Owner, Role::Owner]);
}

#[tokio::test]
async fn a_member_keeps_when_they_joined() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let bob = fixture.member(home.workspace, "bob", Role::Viewer).await;
    let members = &fixture.stores.members;
    let changed = members
        .put(
            home.workspace,
            bob,
            Role::Member,
            Patch::Keep,
            &actor(),
            after(60),
        )
        .await
        .unwrap();
    assert_eq!((changed.role, changed.created_at), (Role::Member, NOW));
    assert_eq!(changed.email, "bob@example.org");
    let unknown = members
        .put(
            home.workspace,
            UserId::generate(),
            Role::Viewer,
            Patch::Keep,
            &actor(),
            NOW,
        )
        .await;
    assert!(matches!(unknown, Err(AdminError::NotFound("user"))));
}

#[tokio::test]
async fn the_default_plan_is_there_and_has_every_module() {
    let fixture = Fixture::new().await;
    let plans = fixture.stores.plans.list().await.unwrap();
    let [default] = plans.as_slice() else {
        panic!("{plans:?}")
    };
    assert_eq!(
        (default.key.as_str(), default.credits_per_cycle),
        ("default", 1_000_000)
    );
    let missing: Vec<&Module> = Module::ALL
        .iter()
        .filter(|module| !default.modules.contains(module))
        .collect();
    assert_eq!(missing, [&Module::Credits, &Module::Platform]);
}

#[tokio::test]
async fn a_plan_is_replaced_whole() {
    let fixture = Fixture::new().await;
    let plans = &fixture.stores.plans;
    let stored = plans.put(&plan("small"), &actor(), NOW).await.unwrap();
    assert_eq!(
        stored.modules,
        [Module::Uptime],
        "what every plan has is not stored"
    );
    let mut bigger = plan("small");
    bigger.credits_per_cycle = 5_000;
    bigger.modules = vec![Module::Rum, Module::Uptime];
    let stored = plans.put(&bigger, &actor(), NOW).await.unwrap();
    assert_eq!(stored.credits_per_cycle, 5_000);
    assert_eq!(stored.modules, [Module::Uptime, Module::Rum]);
    assert_eq!(plans.list().await.unwrap().len(), 2);
    let bad = plans.put(&plan("Not A Key"), &actor(), NOW).await;
    assert!(matches!(bad, Err(AdminError::Invalid(_))));
}

#[tokio::test]
async fn a_name_stands_once_among_a_workspace_s_domains() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let other = fixture.home("eve").await;
    let domains = &fixture.stores.domain_admin;
    let name = "ada.example".parse().unwrap();
    let twice = domains.add(home.workspace, &name, None, &actor(), NOW).await;
    assert!(matches!(twice, Err(AdminError::Exists("domain"))));
    domains
        .add(other.workspace, &name, Some("Ada's"), &actor(), NOW)
        .await
        .unwrap();
    let nowhere = domains
        .add(WorkspaceId::generate(), &name, None, &actor(), NOW)
        .await;
    assert!(matches!(nowhere, Err(AdminError::NotFound("workspace"))));
    let suffix = "co.uk".parse().unwrap();
    let no_site = domains.add(home.workspace, &suffix, None, &actor(), NOW).await;
    assert!(matches!(no_site, Err(AdminError::Invalid(_))), "{no_site:?}");

    let deleted = domains.delete(home.domain, &actor(), after(1)).await.unwrap();
    assert!(deleted.deleted_at.is_some());
    let again = domains.delete(home.domain, &actor(), after(2)).await;
    assert!(matches!(again, Err(AdminError::NotFound(_))));
    let new = domains
        .add(home.workspace, &name, None, &actor(), after(3))
        .await
        .unwrap();
    let taken = domains.restore(home.domain, &actor(), after(4)).await;
    assert!(matches!(taken, Err(AdminError::Exists("domain"))));
    domains.delete(new.id, &actor(), after(5)).await.unwrap();
    let restored = domains.restore(home.domain, &actor(), after(6)).await.unwrap();
    assert_eq!(restored.deleted_at, None);
    let live = domains.restore(home.domain, &actor(), after(7)).await;
    assert!(matches!(live, Err(AdminError::NotFound(_))));
    let unknown = domains.delete(DomainId::generate(), &actor(), NOW).await;
    assert!(matches!(unknown, Err(AdminError::NotFound(_))));
    assert_eq!(domains.list(home.workspace).await.unwrap().len(), 2);
    let asked = [home.domain, new.id, DomainId::generate()];
    let mut found = domains.find(&asked).await.unwrap();
    found.sort_by_key(|domain| domain.deleted_at.is_some());
    let found: Vec<_> = found
        .iter()
        .map(|domain| (domain.id, domain.deleted_at.is_some()))
        .collect();
    assert_eq!(found, [(home.domain, false), (new.id, true)]);
    assert_eq!(domains.find(&[home.domain]).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_workspace_has_so_many_domains_and_no_more() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    // All but one of those that it may have, half of them deleted.
    let others = "INSERT INTO domains (id, workspace_id, hostname, created_at, deleted_at)
        SELECT gen_random_uuid(), $1::uuid, 'd' || n || '.example', now(), CASE WHEN n % 2 = 0 THEN now() - interval '1 hour' END
        FROM generate_series(1, $2::bigint) AS n";
    fixture
        .sql
        .execute(others, &[&home.workspace.0, &(MOST_OF_A_WORKSPACE - 2)])
        .await
        .unwrap();
    let domains = &fixture.stores.domain_admin;
    let add = async |name: &str| {
        let name = name.parse().unwrap();
        domains.add(home.workspace, &name, None, &actor(), NOW).await
    };
    let (first, second) = tokio::join!(add("one.example"), add("two.example"));
    let added = [&first, &second].iter().filter(|result| result.is_ok()).count();
    assert_eq!(added, 1, "{first:?} {second:?}");
    let refused = first.and(second);
    assert!(matches!(refused, Err(AdminError::TooManyDomains)), "{refused:?}");
    // One that is deleted can come back, and counts.
    domains.delete(home.domain, &actor(), NOW).await.unwrap();
    let more = add("three.example").await;
    assert!(matches!(more, Err(AdminError::TooManyDomains)), "{more:?}");
    let deleted = domains.deleted(home.workspace).await.unwrap();
    assert_eq!(deleted.len(), 1_000);
    assert!(deleted.iter().all(|domain| domain.deleted_at.is_some()));
    assert!(deleted.iter().any(|domain| domain.id == home.domain));
    assert!(deleted.is_sorted_by(|one, next| one.deleted_at >= next.deleted_at));
    domains.restore(home.domain, &actor(), NOW).await.unwrap();
    fixture
        .sql
        .execute("DELETE FROM domains WHERE hostname = 'd2.example'", &[])
        .await
        .unwrap();
    add("three.example").await.unwrap();
}

#[tokio::test]
async fn a_switch_is_thrown_and_put_back() {
    let fixture = Fixture::new().await;
    let switches = &fixture.stores.switches;
    let set = async |switch, thrown| switches.set(switch, thrown, &actor(), NOW).await.unwrap();
    assert!(set(Switch::ReadOnlyMode, true).await.read_only_mode);
    assert!(set(Switch::ReadOnlyMode, true).await.read_only_mode);
    let both = set(Switch::ApiDisabled, true).await;
    assert!(both.read_only_mode && both.api_disabled);
    let one = set(Switch::ReadOnlyMode, false).await;
    assert!(!one.read_only_mode && one.api_disabled);
    assert_eq!(switches.read().await.unwrap(), one);
}

#[tokio::test]
async fn every_change_is_logged_and_no_secret_is() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let bob = fixture.member(home.workspace, "bob", Role::Admin).await;
    let (key, first) = fixture.key(&home).await;
    let stores = &fixture.stores;
    let keys = stores.keys.as_ref();
    let (_, second) = manage::rotate(
        keys,
        Environment::Development,
        key.id,
        Grace::OneDay,
        &actor(),
        NOW,
    )
    .await
    .unwrap();
    keys.revoke(key.id, &actor(), NOW).await.unwrap();
    stores.users.set_disabled(bob, true, &actor(), NOW).await.unwrap();
    stores
        .users
        .set_disabled(bob, false, &actor(), NOW)
        .await
        .unwrap();
    stores.plans.put(&plan("small"), &actor(), NOW).await.unwrap();
    let workspaces = &stores.workspace_admin;
    workspaces
        .set_plan(home.workspace, "small", &actor(), NOW)
        .await
        .unwrap();
    workspaces
        .set_subscription(home.workspace, SubscriptionStatus::Expired, &actor(), NOW)
        .await
        .unwrap();
    stores
        .domain_admin
        .delete(home.domain, &actor(), NOW)
        .await
        .unwrap();
    stores
        .domain_admin
        .restore(home.domain, &actor(), NOW)
        .await
        .unwrap();
    stores
        .members
        .remove(home.workspace, bob, &actor(), NOW)
        .await
        .unwrap();
    stores
        .switches
        .set(Switch::ApiDisabled, true, &actor(), NOW)
        .await
        .unwrap();
    stores
        .switches
        .set(Switch::ApiDisabled, false, &actor(), NOW)
        .await
        .unwrap();

    let rows = fixture
        .sql
        .query(
            "SELECT action, subject_kind, subject_id, audit_log::text FROM audit_log WHERE actor = 'cli:ada' ORDER BY id",
            &[],
        )
        .await
        .unwrap();
    let actions: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(
        actions,
        [
            "user.create",
            "workspace.create",
            "domain.add",
            "user.create",
            "member.put",
            "key.create",
            "key.rotate",
            "key.revoke",
            "user.disable",
            "user.enable",
            "plan.put",
            "workspace.set-plan",
            "workspace.set-subscription",
            "domain.delete",
            "domain.restore",
            "member.remove",
            "switch.throw",
            "switch.put-back",
        ]
    );
    let (kind, subject): (String, String) = (rows[6].get(1), rows[6].get(2));
    assert_eq!((kind.as_str(), subject), ("key", key.id.to_string()));
    let everything: String = rows.iter().map(|row| row.get::<_, String>(3)).collect();
    for secret in [&first, &second] {
        // Beyond the sixteen characters that lists show, nothing of it may be there.
        assert!(!everything.contains(&secret.reveal()[16..]));
        let digest: String = secret
            .digest()
            .0
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert!(!everything.contains(&digest));
        let anywhere: i64 = fixture
            .value(
                "SELECT (SELECT count(*) FROM api_keys AS k WHERE k::text LIKE '%' || $1 || '%')
                      + (SELECT count(*) FROM api_key_secrets AS s WHERE s::text LIKE '%' || $1 || '%')",
                &[&&secret.reveal()[16..]],
            )
            .await;
        assert_eq!(anywhere, 0, "the secret itself is stored nowhere");
    }
}

#[tokio::test]
async fn the_audit_trail_is_kept_for_two_years() {
    let fixture = Fixture::new().await;
    let years = Duration::days(730);
    let users = &fixture.stores.users;
    for (email, at) in [
        ("ada@example.org", NOW - years),
        ("bo@example.org", NOW - years + Duration::SECOND),
    ] {
        users.create(email, "Person", &actor(), at).await.unwrap();
    }
    let rows = async || -> i64 {
        fixture
            .value("SELECT count(*) FROM audit_log WHERE action = 'user.create'", &[])
            .await
    };
    fixture.database.maintain(NOW - Duration::SECOND).await.unwrap();
    assert_eq!(rows().await, 2);
    fixture.database.maintain(NOW).await.unwrap();
    assert_eq!(rows().await, 1);
}

/// The page of the switches asks so, however much else has changed.
#[tokio::test]
async fn a_rare_action_is_found_by_an_index() {
    let fixture = Fixture::new().await;
    let stores = &fixture.stores;
    stores
        .switches
        .set(Switch::ApiDisabled, true, &actor(), NOW)
        .await
        .unwrap();
    let audit = stores.ports.get::<dyn AuditStore>().unwrap();
    for (action, found) in [
        ("switch", 1),
        ("switch.throw", 1),
        ("switch.put-back", 0),
        ("throw", 0),
    ] {
        let query = AuditQuery {
            action: Some(action.to_owned()),
            limit: 20,
            ..AuditQuery::default()
        };
        let listed = audit.list(&query).await.unwrap();
        assert_eq!(listed.len(), found, "{action}");
    }
    let many = "INSERT INTO audit_log (id, at, actor, action, subject_kind, subject_id)
        SELECT gen_random_uuid(), now() + make_interval(secs => n), 'system', 'notification.read', 'notification', n::text
        FROM generate_series(1, 50000) AS n;
        ANALYZE audit_log";
    fixture.sql.batch_execute(many).await.unwrap();
    let plan: Vec<String> = fixture
        .sql
        .query(
            "EXPLAIN SELECT * FROM audit_log WHERE subject_kind = 'switch' ORDER BY at DESC, id DESC LIMIT 20",
            &[],
        )
        .await
        .unwrap()
        .iter()
        .map(|row| row.get(0))
        .collect();
    let plan = plan.join("\n");
    assert!(
        plan.contains("audit_log_subject_idx") && !plan.contains("Seq Scan"),
        "{plan}"
    );
}

#[tokio::test]
async fn a_change_that_is_refused_is_not_logged() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let count = async || -> i64 { fixture.value("SELECT count(*) FROM audit_log", &[]).await };
    let before = count().await;
    let members = &fixture.stores.members;
    assert!(
        members
            .remove(home.workspace, home.owner, &actor(), NOW)
            .await
            .is_err()
    );
    let users = &fixture.stores.users;
    assert!(
        users
            .create("ada@example.org", "Ada", &actor(), NOW)
            .await
            .is_err()
    );
    assert_eq!(count().await, before);
}
