//! Authentication reads all it needs of a key, in one statement.

use pharos_auth::{keys::manage::KeyRequest, secret::SecretDigest};
use pharos_domain::{
    identity::{CredentialKind, SubscriptionStatus},
    module::Module,
    patch::Patch,
    role::Role,
};
use time::OffsetDateTime;

use crate::harness::{Fixture, NOW, actor, after, plan};

#[tokio::test]
async fn a_key_is_known_with_all_that_it_reaches() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.home("eve").await;
    let second = fixture.domain(home.workspace, "shop.ada.example").await;
    let request = KeyRequest {
        expires_at: Some(after(60)),
        allowlist: Some(vec!["203.0.113.7".to_owned()]),
        ..home.request()
    };
    let (key, secret) = fixture.try_key(&request).await.unwrap();

    let record = fixture.find(&secret).await.unwrap();
    assert_eq!(record.allowlist, request.allowlist);
    assert_eq!((record.secret_valid_until, record.revoked_at), (None, None));
    assert!(record.creator_is_member);
    let identity = &record.identity;
    assert_eq!(identity.kind, CredentialKind::ApiKey);
    assert_eq!((identity.credential_id, identity.user_id), (key.id, home.owner));
    assert_eq!(identity.name.as_deref(), Some("ci"));
    assert_eq!(identity.key_prefix.as_deref(), Some(secret.shown()));
    assert_eq!(identity.expires_at, Some(after(60)));
    assert_eq!(identity.scopes, request.scopes);
    assert_eq!(identity.default_workspace_id, Some(home.workspace));
    let [workspace] = identity.workspaces.as_slice() else {
        panic!("{:?}", identity.workspaces)
    };
    assert_eq!((workspace.id, workspace.role), (home.workspace, Role::Owner));
    assert_eq!(workspace.subscription, SubscriptionStatus::Active);
    assert_eq!(workspace.plan_modules.iter().count(), 12);
    let domains: Vec<_> = workspace
        .domains
        .iter()
        .map(|domain| (domain.id, domain.hostname.as_str()))
        .collect();
    assert_eq!(
        domains,
        [(home.domain, "ada.example"), (second, "shop.ada.example")]
    );
}

#[tokio::test]
async fn an_unknown_secret_is_no_key() {
    let fixture = Fixture::new().await;
    let digest = SecretDigest::of("svc_dev_no");
    assert!(
        fixture
            .stores
            .credentials
            .find_key(&digest)
            .await
            .unwrap()
            .is_none()
    );
}

#[tokio::test]
async fn a_workspace_without_domains_is_reached_all_the_same() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let (_, secret) = fixture.key(&home).await;
    let domains = &fixture.stores.domain_admin;
    domains.delete(home.domain, &actor(), after(1)).await.unwrap();
    let record = fixture.find(&secret).await.unwrap();
    assert_eq!(record.identity.workspaces[0].domains.len(), 0);
    domains.restore(home.domain, &actor(), after(2)).await.unwrap();
    let record = fixture.find(&secret).await.unwrap();
    assert_eq!(record.identity.workspaces[0].domains[0].id, home.domain);
}

#[tokio::test]
async fn changes_of_plan_subscription_and_role_are_seen() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let (_, secret) = fixture.key(&home).await;
    fixture
        .stores
        .plans
        .put(&plan("small"), &actor(), NOW)
        .await
        .unwrap();
    let workspaces = &fixture.stores.workspace_admin;
    workspaces
        .set_plan(home.workspace, "small", &actor(), NOW)
        .await
        .unwrap();
    workspaces
        .set_subscription(home.workspace, SubscriptionStatus::PastDue, &actor(), NOW)
        .await
        .unwrap();
    fixture.member(home.workspace, "bob", Role::Owner).await;
    let members = &fixture.stores.members;
    members
        .put(
            home.workspace,
            home.owner,
            Role::Viewer,
            Patch::Keep,
            &actor(),
            NOW,
        )
        .await
        .unwrap();
    let record = fixture.find(&secret).await.unwrap();
    let workspace = &record.identity.workspaces[0];
    assert_eq!(
        workspace.plan_modules.iter().collect::<Vec<_>>(),
        [Module::Uptime]
    );
    assert_eq!(workspace.subscription, SubscriptionStatus::PastDue);
    assert_eq!(workspace.role, Role::Viewer);
}

#[tokio::test]
async fn a_key_whose_creator_is_disabled_or_gone_says_so() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.member(home.workspace, "bob", Role::Owner).await;
    let (_, secret) = fixture.key(&home).await;
    let users = &fixture.stores.users;
    users.set_disabled(home.owner, true, &actor(), NOW).await.unwrap();
    assert!(!fixture.find(&secret).await.unwrap().creator_is_member);
    users
        .set_disabled(home.owner, false, &actor(), NOW)
        .await
        .unwrap();
    assert!(fixture.find(&secret).await.unwrap().creator_is_member);
    let members = &fixture.stores.members;
    members
        .remove(home.workspace, home.owner, &actor(), NOW)
        .await
        .unwrap();
    let record = fixture.find(&secret).await.unwrap();
    assert!(!record.creator_is_member);
    assert_eq!(record.identity.workspaces.len(), 0);
}

#[tokio::test]
async fn the_last_use_is_written_once_a_minute_at_most_and_never_back() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let (key, _) = fixture.key(&home).await;
    let note = async |seconds: &[i64]| -> Option<OffsetDateTime> {
        let uses: Vec<_> = seconds.iter().map(|at| (key.id, after(*at))).collect();
        fixture.stores.credentials.note_use(&uses).await.unwrap();
        fixture.stores.keys.list(home.workspace).await.unwrap()[0].last_used_at
    };
    assert_eq!(note(&[]).await, None);
    assert_eq!(note(&[10]).await, Some(after(10)));
    assert_eq!(note(&[69]).await, Some(after(10)));
    assert_eq!(note(&[70]).await, Some(after(70)));
    assert_eq!(note(&[5]).await, Some(after(70)));
    assert_eq!(
        note(&[140, 300, 200]).await,
        Some(after(300)),
        "the latest of a batch"
    );
}

/// Reading a key takes a few index look-ups, however many keys there are.
#[tokio::test]
async fn a_key_is_found_by_indexes_alone() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let (key, _) = fixture.key(&home).await;
    fixture
        .sql
        .batch_execute(&format!(
            "INSERT INTO users (id, email, name, created_at)
                 SELECT gen_random_uuid(), 'u' || n || '@example.org', 'u', now() FROM generate_series(1, 2000) AS n;
             INSERT INTO workspaces (id, name, plan_key, created_at)
                 SELECT gen_random_uuid(), 'w', 'default', now() FROM generate_series(1, 2000);
             INSERT INTO members SELECT w.id, u.id, 'owner', now()
                 FROM (SELECT id, row_number() OVER () AS n FROM workspaces) AS w
                 JOIN (SELECT id, row_number() OVER () AS n FROM users) AS u USING (n) ON CONFLICT DO NOTHING;
             INSERT INTO domains (id, workspace_id, hostname, created_at)
                 SELECT gen_random_uuid(), id, 'x.example', now() FROM workspaces;
             INSERT INTO api_keys (id, workspace_id, created_by, name, scopes, created_at)
                 SELECT gen_random_uuid(), workspace_id, user_id, 'k', '{{read:uptime}}', now() FROM members;
             INSERT INTO api_key_secrets (digest, key_id, shown, created_at)
                 SELECT sha256(n::text::bytea), '{}', 'svc_dev_x', now() FROM generate_series(1, 5000) AS n;
             ANALYZE",
            key.id
        ))
        .await
        .unwrap();
    let text = include_str!("../../crates/auth/pg/src/find_key.sql");
    let plan = fixture
        .sql
        .simple_query(&format!(
            "SET plan_cache_mode = force_generic_plan; PREPARE find (bytea) AS {text}; \
             EXPLAIN EXECUTE find ('\\x00')"
        ))
        .await
        .unwrap();
    let plan: String = plan
        .iter()
        .filter_map(|message| match message {
            tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        })
        .collect::<Vec<_>>()
        .join("\n");
    for index in [
        "api_key_secrets_pkey",
        "api_keys_pkey",
        "users_pkey",
        "workspaces_pkey",
    ] {
        assert!(plan.contains(index), "{index}\n{plan}");
    }
    assert!(plan.contains("domains_workspace_id"), "{plan}");
    for table in [
        "api_key_secrets",
        "api_keys",
        "users",
        "workspaces",
        "members",
        "domains",
    ] {
        assert!(!plan.contains(&format!("Seq Scan on {table}")), "{plan}");
    }
}
