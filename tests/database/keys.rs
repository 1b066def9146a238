//! Creating, rotating and revoking keys.

use futures_util::future::join_all;
use pharos_auth::keys::{
    manage::{self, Grace, KeyError, KeyRequest},
    secret::{Environment, KeySecret},
};
use pharos_domain::{ids::CredentialId, role::Role};
use time::OffsetDateTime;

use crate::harness::{Fixture, NOW, actor, after};

async fn rotate(fixture: &Fixture, id: CredentialId, grace: Grace, now: OffsetDateTime) -> KeySecret {
    let keys = fixture.stores.keys.as_ref();
    let rotated = manage::rotate(keys, Environment::Development, id, grace, &actor(), now).await;
    rotated.unwrap().1
}

#[tokio::test]
async fn of_twenty_created_at_once_ten_live() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let request = home.request();
    let created = join_all((0..20).map(|_| fixture.try_key(&request))).await;
    let refused = created
        .iter()
        .filter(|result| matches!(result, Err(KeyError::TooMany(10))))
        .count();
    assert_eq!(
        (created.iter().filter(|result| result.is_ok()).count(), refused),
        (10, 10)
    );
    assert_eq!(fixture.stores.keys.list(home.workspace).await.unwrap().len(), 10);
}

#[tokio::test]
async fn a_revoked_or_expired_key_makes_room() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let expiring = KeyRequest {
        expires_at: Some(after(60)),
        ..home.request()
    };
    let (first, _) = fixture.try_key(&expiring).await.unwrap();
    for _ in 0..9 {
        fixture.key(&home).await;
    }
    assert!(matches!(
        fixture.try_key(&home.request()).await,
        Err(KeyError::TooMany(10))
    ));
    let keys = fixture.stores.keys.as_ref();
    let later = manage::create(
        keys,
        Environment::Development,
        &home.request(),
        &actor(),
        after(60),
    )
    .await;
    let (second, _) = later.unwrap();
    keys.revoke(second.id, &actor(), after(61)).await.unwrap();
    let rotated = manage::rotate(
        keys,
        Environment::Development,
        first.id,
        Grace::OneDay,
        &actor(),
        after(61),
    )
    .await;
    assert!(matches!(rotated, Err(KeyError::NotLive)));
    manage::create(
        keys,
        Environment::Development,
        &home.request(),
        &actor(),
        after(62),
    )
    .await
    .unwrap();
}

#[tokio::test]
async fn only_owners_and_admins_create_keys() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let stranger = fixture.home("eve").await.owner;
    for (role, may) in [(Role::Viewer, false), (Role::Member, false), (Role::Admin, true)] {
        let creator = fixture.member(home.workspace, role.as_str(), role).await;
        let request = KeyRequest {
            creator,
            ..home.request()
        };
        let created = fixture.try_key(&request).await;
        assert_eq!(created.is_ok(), may, "{role}");
        if may {
            let users = &fixture.stores.users;
            users.set_disabled(creator, true, &actor(), NOW).await.unwrap();
            assert!(matches!(fixture.try_key(&request).await, Err(KeyError::NotAdmin)));
        }
    }
    let foreign = KeyRequest {
        creator: stranger,
        ..home.request()
    };
    assert!(matches!(fixture.try_key(&foreign).await, Err(KeyError::NotAdmin)));
    let nowhere = KeyRequest {
        workspace: pharos_domain::ids::WorkspaceId::generate(),
        ..home.request()
    };
    assert!(matches!(
        fixture.try_key(&nowhere).await,
        Err(KeyError::NoWorkspace)
    ));
}

#[tokio::test]
async fn a_rotation_leaves_the_old_secret_its_grace_and_no_more() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let (key, first) = fixture.key(&home).await;
    let until = async |secret: &KeySecret| fixture.find(secret).await.unwrap().secret_valid_until;
    assert_eq!(until(&first).await, None);

    let second = rotate(&fixture, key.id, Grace::OneHour, after(10)).await;
    assert_eq!(until(&first).await, Some(after(10 + 3_600)));
    assert_eq!(until(&second).await, None);

    // A longer grace later on does not lengthen what ends before.
    let third = rotate(&fixture, key.id, Grace::SevenDays, after(20)).await;
    assert_eq!(until(&first).await, Some(after(10 + 3_600)));
    assert_eq!(until(&second).await, Some(after(20 + 7 * 86_400)));

    // None at all shortens both.
    let fourth = rotate(&fixture, key.id, Grace::None, after(30)).await;
    for old in [&first, &second, &third] {
        assert_eq!(until(old).await, Some(after(30)));
    }
    let record = fixture.find(&fourth).await.unwrap();
    assert_eq!(record.identity.credential_id, key.id);
    assert_eq!(record.identity.key_prefix.as_deref(), Some(fourth.shown()));
    let listed = fixture.stores.keys.list(home.workspace).await.unwrap();
    assert_eq!((listed.len(), listed[0].prefix.as_str()), (1, fourth.shown()));
}

#[tokio::test]
async fn a_revoked_key_stays_known_and_revoked() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let (key, secret) = fixture.key(&home).await;
    let keys = fixture.stores.keys.as_ref();
    let revoked = keys.revoke(key.id, &actor(), after(5)).await.unwrap();
    assert_eq!(revoked.revoked_at, Some(after(5)));
    assert_eq!(fixture.find(&secret).await.unwrap().revoked_at, Some(after(5)));
    let again = keys.revoke(key.id, &actor(), after(6)).await;
    assert!(matches!(again, Err(KeyError::NotLive)));
    let unknown = keys.revoke(CredentialId::generate(), &actor(), NOW).await;
    assert!(matches!(unknown, Err(KeyError::NotFound)));
}

#[tokio::test]
async fn lists_show_the_newest_first_and_what_was_asked_for() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let request = KeyRequest {
        name: "office".to_owned(),
        expires_at: Some(after(86_400)),
        allowlist: Some(vec!["203.0.113.0/24".to_owned()]),
        ..home.request()
    };
    fixture.key(&home).await;
    let (created, secret) = fixture.try_key(&request).await.unwrap();
    let listed = fixture.stores.keys.list(home.workspace).await.unwrap();
    let newest = &listed[0];
    assert_eq!(
        (newest.id, newest.name.as_str(), newest.prefix.as_str()),
        (created.id, "office", secret.shown())
    );
    assert_eq!(
        (newest.created_by, newest.workspace_id),
        (home.owner, home.workspace)
    );
    assert_eq!(newest.scopes, request.scopes);
    assert_eq!(newest.allowlist, request.allowlist);
    assert_eq!((newest.created_at, newest.expires_at), (NOW, request.expires_at));
    assert_eq!((newest.revoked_at, newest.last_used_at), (None, None));
}
