//! Codes and refresh tokens: lost answers, and what nodes hear of them.

use std::time::Duration;

use pharos_auth::{
    oauth::{
        client::{AuthMethod, Client, ClientMetadata},
        error::{ErrorCode, OauthError},
        redirect_uri::RedirectUri,
        store::{Approval, CodeExchange, GrantStore, IssueError, Issued, Rotation},
        token::Tokens,
    },
    secret::SecretDigest,
};
use pharos_auth_pg::oauth::grants::PgGrantStore;
use pharos_domain::{
    ids::{ClientId, CredentialId},
    scope::Tier,
    store::StoreError,
};
use pharos_persistence::pool::{Database, DatabaseOptions};
use pharos_server::groups::database_options;
use time::OffsetDateTime;
use tokio::time::timeout;
use uuid::Uuid;

use crate::{
    harness::{Ear, Fixture, Home, NOW, after},
    relay::Relay,
};

const RESOURCE: &str = "https://pharos.example";
const URI: &str = "https://app.example/callback";
/// How many grants are not revoked, how many refresh tokens there are, and how many of these are good for a use.
const COUNTED: &str = "SELECT concat_ws(' ', (SELECT count(*) FROM oauth_grants WHERE revoked_at IS NULL),
    (SELECT count(*) FROM oauth_refresh_tokens),
    (SELECT count(*) FROM oauth_refresh_tokens WHERE superseded_at IS NULL))";

/// A client that the home's owner agreed to.
struct App<'a> {
    fixture: &'a Fixture,
    home: &'a Home,
    id: ClientId,
}

impl<'a> App<'a> {
    async fn register(fixture: &'a Fixture, home: &'a Home) -> Self {
        let client = Client {
            id: ClientId::generate(),
            metadata: ClientMetadata {
                name: None,
                redirect_uris: vec![RedirectUri::parse(URI).unwrap()],
                auth_method: AuthMethod::None,
            },
            secret: None,
            is_verified: false,
            created_at: NOW,
        };
        fixture.stores.oauth_clients.register(&client).await.unwrap();
        Self {
            fixture,
            home,
            id: client.id,
        }
    }

    /// A code, and what it is exchanged by.
    async fn code(&self, code: &str) -> CodeExchange<'static> {
        let approval = Approval {
            request: Uuid::now_v7(),
            client: self.id,
            user: self.home.owner,
            redirect_uri: URI.to_owned(),
            scopes: Tier::Read.scopes(),
            resource: RESOURCE.to_owned(),
            code_challenge: "challenge".to_owned(),
            workspaces: vec![self.home.workspace],
            code: SecretDigest::of(code),
            expires_at: after(60),
        };
        let grants = &self.fixture.stores.oauth_grants;
        grants.approve(&approval, NOW).await.unwrap();
        CodeExchange {
            code: approval.code,
            client: self.id,
            redirect_uri: Some(URI),
            resource: Some(RESOURCE),
            code_challenge: "challenge",
            grant: CredentialId::generate(),
            refresh_token: token(code, 0),
            refresh_until: after(3_600),
        }
    }

    /// The refresh of the grant of that code, for the so manieth time.
    fn refresh(&self, code: &str, time: u32) -> Rotation<'static> {
        Rotation {
            token: token(code, time - 1),
            client: self.id,
            resource: Some(RESOURCE),
            next: token(code, time),
            next_until: after(3_600),
        }
    }
}

fn token(code: &str, time: u32) -> SecretDigest {
    SecretDigest::of(&format!("{code} {time}"))
}

fn mint(issued: &Issued) -> Result<Tokens, OauthError> {
    Ok(Tokens {
        access_token: issued.grant.to_string(),
        token_type: "Bearer",
        expires_in: 3_600,
        refresh_token: String::new(),
        scope: String::new(),
    })
}

/// Committed, and the answer is lost on its way: whoever was told to try again would have ended the grant.
#[tokio::test]
async fn a_commit_that_was_not_answered_is_looked_into() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let app = App::register(&fixture, &home).await;
    let relay = Relay::start(fixture.test.url()).await;
    let grants = PgGrantStore::new(Database::new(&relay.url, &database_options()).unwrap());

    let exchange = app.code("one").await;
    relay.swallow_the_answer_to("COMMIT");
    let tokens = grants.exchange(&exchange, &mint, NOW).await.unwrap();
    assert_eq!(tokens.access_token, exchange.grant.to_string());
    relay.swallow_the_answer_to("COMMIT");
    let tokens = grants.rotate(&app.refresh("one", 1), &mint, NOW).await.unwrap();
    assert_eq!(tokens.access_token, exchange.grant.to_string());
    // Not even sent.
    relay.swallow("COMMIT");
    grants.rotate(&app.refresh("one", 2), &mint, NOW).await.unwrap();
    let counted: String = fixture.value(COUNTED, &[]).await;
    assert_eq!(counted, "1 3 1");
    // The second of the same is reuse as ever.
    let again = Rotation {
        next: token("one", 9),
        ..app.refresh("one", 2)
    };
    let reused = grants.rotate(&again, &mint, NOW).await;
    assert!(matches!(reused, Err(IssueError::Used)), "{reused:?}");
}

/// PostgreSQL is away for longer than an app is left waiting. Nobody got the next token, so the one before it is good again, and
/// who brings it is no thief.
#[tokio::test]
async fn a_refresh_that_stays_in_doubt_is_taken_back_and_ends_no_grant() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let app = App::register(&fixture, &home).await;
    let relay = Relay::start(fixture.test.url()).await;
    let options = DatabaseOptions {
        pool_size: 1,
        ..database_options()
    };
    let grants = PgGrantStore::new(Database::new(&relay.url, &options).unwrap());
    grants.exchange(&app.code("one").await, &mint, NOW).await.unwrap();

    relay.swallow_the_answer_to("COMMIT");
    relay.stay_away_for(Duration::from_secs(3_600));
    let doubtful = grants.rotate(&app.refresh("one", 1), &mint, NOW).await;
    assert!(matches!(doubtful, Err(IssueError::InDoubt)), "{doubtful:?}");
    let superseded = "SELECT count(*) FROM oauth_refresh_tokens WHERE superseded_at IS NOT NULL";
    assert_eq!(fixture.value::<i64>(superseded, &[]).await, 1, "it was committed");

    relay.come_back();
    let again = Rotation {
        next: token("one", 9),
        ..app.refresh("one", 1)
    };
    let issued = async {
        loop {
            match grants.rotate(&again, &mint, NOW).await {
                Err(IssueError::Store(StoreError::Unavailable(_))) => {}
                issued => break issued,
            }
        }
    };
    timeout(Duration::from_secs(60), issued).await.unwrap().unwrap();
    let counted: String = fixture.value(COUNTED, &[]).await;
    assert_eq!(counted, "1 2 1");
    let thief = Rotation {
        next: token("one", 8),
        ..again
    };
    let reused = grants.rotate(&thief, &mint, NOW).await;
    assert!(matches!(reused, Err(IssueError::Used)), "{reused:?}");
}

#[tokio::test]
async fn what_could_not_be_minted_was_not_used() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let app = App::register(&fixture, &home).await;
    let grants = &fixture.stores.oauth_grants;
    let fails = |_: &Issued| Err(OauthError::new(ErrorCode::ServerError, "No."));
    let exchange = app.code("one").await;
    let refused = grants.exchange(&exchange, &fails, NOW).await;
    assert!(matches!(refused, Err(IssueError::Unminted(_))), "{refused:?}");
    grants.exchange(&exchange, &mint, NOW).await.unwrap();
    let rotation = app.refresh("one", 1);
    let refused = grants.rotate(&rotation, &fails, NOW).await;
    assert!(matches!(refused, Err(IssueError::Unminted(_))), "{refused:?}");
    grants.rotate(&rotation, &mint, NOW).await.unwrap();
}

fn day(day: i64) -> OffsetDateTime {
    NOW + time::Duration::days(day)
}

/// An app that was away for months comes back with a token that somebody else has refreshed ever since: that is how the theft
/// shows, though the token would not be good any more by itself.
#[tokio::test]
async fn a_superseded_token_ends_its_grant_for_a_year_after_it_has_expired() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let app = App::register(&fixture, &home).await;
    let grants = &fixture.stores.oauth_grants;
    grants.exchange(&app.code("one").await, &mint, NOW).await.unwrap();
    for time in 1..=6 {
        let at = i64::from(time - 1) * 80;
        let rotation = Rotation {
            next_until: day(at + 90),
            ..app.refresh("one", time)
        };
        fixture.database.maintain(day(at)).await.unwrap();
        grants.rotate(&rotation, &mint, day(at)).await.unwrap();
    }
    fixture.database.maintain(day(440)).await.unwrap();
    // The first of the seven expired on the first day; the second on day 90.
    let counted: String = fixture.value(COUNTED, &[]).await;
    assert_eq!(counted, "1 6 1");
    let unknown = grants.rotate(&app.refresh("one", 1), &mint, day(440)).await;
    assert!(matches!(unknown, Err(IssueError::Unknown)), "{unknown:?}");
    let back = Rotation {
        next: token("one", 9),
        ..app.refresh("one", 2)
    };
    let reused = grants.rotate(&back, &mint, day(440)).await;
    assert!(matches!(reused, Err(IssueError::Used)), "{reused:?}");
    let counted: String = fixture.value(COUNTED, &[]).await;
    assert_eq!(counted, "0 6 1");
}

#[tokio::test]
async fn a_grant_is_forgotten_with_its_last_token_whatever_that_superseded() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let app = App::register(&fixture, &home).await;
    let grants = &fixture.stores.oauth_grants;
    grants.exchange(&app.code("one").await, &mint, NOW).await.unwrap();
    let rotation = Rotation {
        next_until: day(90),
        ..app.refresh("one", 1)
    };
    grants.rotate(&rotation, &mint, NOW).await.unwrap();
    for (at, left) in [(89, "1 2 1"), (90, "0 0 0")] {
        fixture.database.maintain(day(at)).await.unwrap();
        let counted: String = fixture.value(COUNTED, &[]).await;
        assert_eq!(counted, left, "day {at}");
    }
    assert!(grants.connected(home.owner).await.unwrap().is_empty());
}

/// A node of a later version has agreed to a scope that this one does not know: nodes are upgraded one by one, and no app is shut
/// out meanwhile.
#[tokio::test]
async fn an_app_with_a_scope_of_a_later_version_goes_on_without_it() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let app = App::register(&fixture, &home).await;
    let grants = &fixture.stores.oauth_grants;
    let exchange = app.code("one").await;
    let later = "UPDATE oauth_codes SET scopes = scopes || '{read:tomorrow}'::text[]";
    fixture.sql.batch_execute(later).await.unwrap();
    let known = |issued: &Issued| {
        assert!(issued.scopes == Tier::Read.scopes());
        mint(issued)
    };
    grants.exchange(&exchange, &known, NOW).await.unwrap();
    grants.rotate(&app.refresh("one", 1), &known, NOW).await.unwrap();
    let kept = "SELECT 'read:tomorrow' = ANY (scopes) FROM oauth_grants";
    assert!(fixture.value::<bool>(kept, &[]).await);
}

/// Every node would drop all that it knows, and read it again.
#[tokio::test]
async fn nodes_hear_of_what_changes_and_of_nothing_else() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let app = App::register(&fixture, &home).await;
    let grants = &fixture.stores.oauth_grants;
    let (one, other) = (app.code("one").await, app.code("other").await);
    let mut ear = Ear::open(fixture.test.url()).await;
    // The notifications since the last time, questions and all.
    let mut told = async || {
        fixture
            .sql
            .batch_execute("NOTIFY pharos_changes, 'fence'")
            .await
            .unwrap();
        let mut told = Vec::new();
        loop {
            match ear.next().await {
                fence if fence == "fence" => return told,
                word => told.push(word),
            }
        }
    };
    for exchange in [&one, &other] {
        grants.exchange(exchange, &mint, NOW).await.unwrap();
    }
    grants.rotate(&app.refresh("one", 1), &mint, NOW).await.unwrap();
    assert!(told().await.is_empty(), "a grant that is new or goes on");

    let replay = CodeExchange {
        grant: CredentialId::generate(),
        ..one.clone()
    };
    let reuse = async || {
        let reused = grants.exchange(&replay, &mint, NOW).await;
        assert!(matches!(reused, Err(IssueError::Used)), "{reused:?}");
    };
    reuse().await;
    assert_eq!(told().await, ["oauth_grants"]);
    for _ in 0..3 {
        reuse().await;
        let again = Rotation {
            next: token("one", 9),
            ..app.refresh("one", 1)
        };
        assert!(grants.rotate(&again, &mint, NOW).await.is_err());
        let token = token("one", 1);
        grants.revoke_by_token(&token, app.id, NOW).await.unwrap();
        grants.revoke_of_client(one.grant, app.id, NOW).await.unwrap();
    }
    assert!(told().await.is_empty(), "there was nothing left to revoke");
    grants.revoke_of_client(other.grant, app.id, NOW).await.unwrap();
    assert_eq!(told().await, ["oauth_grants"]);

    fixture.database.maintain(NOW).await.unwrap();
    assert!(told().await.is_empty(), "nothing was over");
    let clients = &fixture.stores.oauth_clients;
    for is_verified in [true, false] {
        let actor = crate::harness::actor();
        assert!(
            clients
                .set_verified(app.id, is_verified, &actor, NOW)
                .await
                .unwrap()
        );
        assert_eq!(told().await, ["oauth_clients"]);
    }
}
