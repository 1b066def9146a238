//! Passwords, sessions and links.

use pharos_auth::{
    secret::SecretDigest,
    sign_in::{
        desk::issue_link,
        password::PasswordHash,
        session::{IDLE_FOR, LIFETIME, LINK_LIFETIME},
    },
};
use pharos_domain::ids::UserId;
use time::Duration;

use crate::harness::{Fixture, NOW, actor};

fn hash(text: &str) -> PasswordHash {
    PasswordHash(format!("$argon2id${text}"))
}

/// A user with this password, and the digest of the session that setting it began.
async fn user(fixture: &Fixture, password: &str) -> (UserId, SecretDigest) {
    let users = &fixture.stores.users;
    let id = match users.find("ada@example.org").await.unwrap() {
        Some(user) => user.id,
        None => {
            let created = users.create("ada@example.org", "Ada", &actor(), NOW).await;
            created.unwrap().id
        }
    };
    let store = &fixture.stores.sign_in;
    let link = issue_link(store.as_ref(), id, &actor(), NOW)
        .await
        .unwrap()
        .unwrap();
    let session = SecretDigest::of(password);
    let is_set = store
        .set_password(&link.digest(), &hash(password), &session, NOW)
        .await;
    assert!(is_set.unwrap());
    (id, session)
}

#[tokio::test]
async fn no_session_begins_with_a_password_that_was_changed_meanwhile() {
    let fixture = Fixture::new().await;
    let store = &fixture.stores.sign_in;
    let (_, first) = user(&fixture, "first").await;
    let account = store.account("ADA@example.org").await.unwrap().unwrap();
    let session = SecretDigest::of("another");
    assert!(store.begin(&session, &account, NOW).await.unwrap());

    let (_, second) = user(&fixture, "second").await;
    for ended in [&first, &session] {
        assert_eq!(store.session(ended).await.unwrap(), None);
    }
    assert!(store.session(&second).await.unwrap().is_some());
    let late = SecretDigest::of("late");
    assert!(!store.begin(&late, &account, NOW).await.unwrap());
    assert_eq!(store.session(&late).await.unwrap(), None);
}

#[tokio::test]
async fn no_session_begins_for_a_user_who_was_disabled_meanwhile() {
    let fixture = Fixture::new().await;
    let store = &fixture.stores.sign_in;
    let (id, _) = user(&fixture, "first").await;
    let account = store.account("ada@example.org").await.unwrap().unwrap();
    let users = &fixture.stores.users;
    users.set_disabled(id, true, &actor(), NOW).await.unwrap();
    assert!(
        !store
            .begin(&SecretDigest::of("late"), &account, NOW)
            .await
            .unwrap()
    );
    assert!(store.account("ada@example.org").await.unwrap().is_none());
    let link = issue_link(store.as_ref(), id, &actor(), NOW).await.unwrap();
    assert!(link.is_none());
}

#[tokio::test]
async fn expired_links_and_sessions_are_deleted() {
    let fixture = Fixture::new().await;
    let store = &fixture.stores.sign_in;
    let (id, session) = user(&fixture, "first").await;
    let link = issue_link(store.as_ref(), id, &actor(), NOW)
        .await
        .unwrap()
        .unwrap();
    let maintain = async |at| fixture.database.maintain(at).await.unwrap();
    let is_there = async || store.session(&session).await.unwrap().is_some();

    maintain(NOW + IDLE_FOR - Duration::SECOND).await;
    assert!(is_there().await);
    store
        .touch(&session, NOW + LIFETIME - Duration::HOUR)
        .await
        .unwrap();
    maintain(NOW + LINK_LIFETIME - Duration::SECOND).await;
    assert!(store.link(&link.digest(), NOW).await.unwrap().is_some());
    maintain(NOW + LINK_LIFETIME).await;
    assert!(store.link(&link.digest(), NOW).await.unwrap().is_none());

    maintain(NOW + LIFETIME - Duration::SECOND).await;
    assert!(is_there().await);
    maintain(NOW + LIFETIME).await;
    assert!(!is_there().await);
}
