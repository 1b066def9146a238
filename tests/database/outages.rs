//! A database that is away, busy or unwilling.

use std::{
    collections::HashSet,
    net::TcpListener,
    sync::Arc,
    time::{Duration, Instant},
};

use diesel::{
    QueryResult, QueryableByName, sql_query,
    sql_types::{Integer, Text},
};
use diesel_async::RunQueryDsl;
use futures_util::{StreamExt, TryStreamExt, stream::BoxStream};
use pharos_account::credits::CreditStore;
use pharos_auth::secret::SecretDigest;
use pharos_crawl::sitemap::monitor::store::SitemapStore;
use pharos_domain::{
    alert_metric::{MetricFilter, MetricKind, MetricQuery, MetricWindow},
    ids::DomainId,
    store::StoreError,
    time_range::TimeRange,
    window::DateRange,
};
use pharos_persistence::{
    pool::{Database, DatabaseOptions},
    pooled::PooledConnection,
};
use pharos_search::indexing::store::reads::IndexingReads;
use pharos_server::groups::{alert_metrics, database_options, ports};
use pharos_synthetic::{
    figure::LabMetric,
    series::{Grain, SeriesQuery},
    store::LabStore,
};
use pharos_tests::stores::Stores;

use crate::{
    harness::{Fixture, NOW, actor, connect},
    relay::Relay,
};

fn quick() -> DatabaseOptions {
    DatabaseOptions {
        connect_timeout: Duration::from_millis(500),
        wait_timeout: Duration::from_millis(500),
        ..database_options()
    }
}

fn is_away<T: std::fmt::Debug>(result: &Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::Unavailable(_)))
}

async fn find(database: &Database) -> Result<bool, StoreError> {
    let digest = SecretDigest::of("svc_dev_no");
    let found = Stores::new(database).credentials.find_key(&digest).await;
    found.map(|record| record.is_some())
}

#[tokio::test]
async fn a_server_that_is_not_there_is_away() {
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    for url in [
        format!("postgres://pharos@127.0.0.1:{port}/pharos"),
        "postgres://pharos@%2Fnowhere/pharos".to_owned(),
        "postgres://pharos@nowhere.invalid/pharos".to_owned(),
    ] {
        let began = Instant::now();
        let database = Database::new(&url, &database_options()).unwrap();
        let found = find(&database).await;
        assert!(is_away(&found), "{url}: {found:?}");
        assert!(is_away(&database.ping().await));
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "{url}: {:?}",
            began.elapsed()
        );
    }
}

#[tokio::test]
async fn a_server_that_takes_the_connection_and_says_nothing_is_away() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let url = format!("postgres://pharos@127.0.0.1:{port}/pharos");
    let began = Instant::now();
    let connected = Database::connect(&url, &quick()).await;
    assert!(is_away(&connected), "{connected:?}");
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_database_that_does_not_exist_and_an_account_that_may_not_are_refusals() {
    let fixture = Fixture::new().await;
    let (server, _) = fixture.test.url().rsplit_once('/').unwrap();
    let missing = Database::connect(&format!("{server}/no_such_database"), &quick()).await;
    assert!(matches!(missing, Err(StoreError::Failed(_))), "{missing:?}");
    let nobody = Database::connect(&as_user(fixture.test.url(), "no_such_account"), &quick()).await;
    assert!(matches!(nobody, Err(StoreError::Failed(_))), "{nobody:?}");
}

/// The URL with another account.
fn as_user(url: &str, user: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap();
    let rest = rest.split_once('@').map_or(rest, |(_, rest)| rest);
    format!("{scheme}://{user}:x@{rest}")
}

#[tokio::test]
async fn a_server_that_is_full_is_away() {
    let fixture = Fixture::new().await;
    let role = format!("pharos_test_{}", uuid::Uuid::now_v7().simple());
    fixture
        .sql
        .batch_execute(&format!(
            "CREATE ROLE {role} LOGIN PASSWORD 'x' CONNECTION LIMIT 1"
        ))
        .await
        .unwrap();
    let url = as_user(fixture.test.url(), &role);
    let only = connect(&url).await;
    let connected = Database::connect(&url, &quick()).await;
    drop(only);
    fixture
        .sql
        .batch_execute(&format!("DROP ROLE {role}"))
        .await
        .unwrap();
    assert!(is_away(&connected), "{connected:?}");
}

/// Holds a lock on the keys' secrets, so that reading one waits.
async fn block(fixture: &Fixture) -> tokio_postgres::Client {
    let blocker = connect(fixture.test.url()).await;
    blocker
        .batch_execute("BEGIN; LOCK TABLE api_key_secrets IN ACCESS EXCLUSIVE MODE")
        .await
        .unwrap();
    blocker
}

async fn terminate(fixture: &Fixture, application: &str) -> i64 {
    let query = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                 WHERE datname = current_database() AND application_name = $1";
    fixture.value(query, &[&application]).await
}

async fn waiting(fixture: &Fixture, application: &str) {
    let query = "SELECT count(*) FROM pg_stat_activity
                 WHERE datname = current_database() AND application_name = $1 AND wait_event_type = 'Lock'";
    while fixture.value::<i64>(query, &[&application]).await == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_session_that_is_ended_by_the_server_is_away_and_the_next_is_there() {
    let fixture = Fixture::new().await;
    let blocker = block(&fixture).await;
    let database = fixture.database.clone();
    let reading = tokio::spawn(async move { find(&database).await });
    waiting(&fixture, "pharos").await;
    assert!(terminate(&fixture, "pharos").await >= 1);
    let found = reading.await.unwrap();
    assert!(is_away(&found), "{found:?}");
    drop(blocker);
    // Connections that ended while nobody used them are not handed out, once their end has arrived here.
    for _ in 0..5 {
        terminate(&fixture, "pharos").await;
        let sessions = "SELECT count(*) FROM pg_stat_activity
                        WHERE datname = current_database() AND application_name = 'pharos'";
        while fixture.value::<i64>(sessions, &[]).await > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(!find(&fixture.database).await.unwrap());
    }
}

#[tokio::test]
async fn a_statement_that_takes_too_long_is_away() {
    let fixture = Fixture::new().await;
    let options = DatabaseOptions {
        statement_timeout: Duration::from_millis(200),
        ..quick()
    };
    let database = Database::connect(fixture.test.url(), &options).await.unwrap();
    let blocker = block(&fixture).await;
    let found = find(&database).await;
    assert!(is_away(&found), "{found:?}");
    drop(blocker);
    assert!(!find(&database).await.unwrap());
}

/// Whoever reads them asks for less then, which would not help where the database is away.
#[tokio::test]
async fn alert_metrics_that_take_too_long_are_not_away() {
    let fixture = Fixture::new().await;
    let options = DatabaseOptions {
        statement_timeout: Duration::from_millis(200),
        ..database_options()
    };
    let database = Database::connect(fixture.test.url(), &options).await.unwrap();
    let catalogue = alert_metrics(&ports(&database)).unwrap();
    let blocker = connect(fixture.test.url()).await;
    blocker
        .batch_execute("BEGIN; LOCK TABLE domains IN ACCESS EXCLUSIVE MODE")
        .await
        .unwrap();
    let day = TimeRange::new(NOW - Duration::from_secs(86_400), NOW);
    for module in catalogue.modules() {
        let metrics = module.metrics.iter();
        let queries: Vec<MetricQuery> = metrics
            .filter(|metric| metric.kind != MetricKind::Event)
            .map(|metric| MetricQuery {
                domain: DomainId::generate(),
                metric,
                filter: MetricFilter::default(),
                windows: vec![MetricWindow::Over(day), MetricWindow::Latest],
                needs_sample: false,
            })
            .collect();
        let read = catalogue.source(module.module).unwrap().read(&queries, NOW).await;
        assert!(
            matches!(read, Err(StoreError::TooLong(_))),
            "{}: {read:?}",
            module.label
        );
    }
    drop(blocker);
}

/// Reads of much say so, whichever group's they are.
#[tokio::test]
async fn reads_of_much_that_take_too_long_are_not_away() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let options = DatabaseOptions {
        statement_timeout: Duration::from_millis(200),
        ..database_options()
    };
    let database = Database::connect(fixture.test.url(), &options).await.unwrap();
    let ports = ports(&database);
    let indexing = ports.get::<dyn IndexingReads>().unwrap();
    let sitemaps = ports.get::<dyn SitemapStore>().unwrap();
    let credits = ports.get::<dyn CreditStore>().unwrap();
    let week = DateRange::ending(NOW.date(), 7);
    let blocker = connect(fixture.test.url()).await;
    blocker
        .batch_execute(
            "BEGIN; LOCK TABLE indexing_days, indexing_urls, sitemap_rounds, sitemap_urls, credit_balances, credit_log
                IN ACCESS EXCLUSIVE MODE",
        )
        .await
        .unwrap();
    for (read, told) in [
        ("overview", indexing.overview(&access, NOW).await.map(drop)),
        (
            "crawl stats",
            indexing.crawl_stats(&access, week, NOW).await.map(drop),
        ),
        ("canonicals", indexing.canonicals(&access, 10).await.map(drop)),
        ("rich results", indexing.rich_results(&access).await.map(drop)),
        ("gaps", indexing.gap_urls(&access).await.map(drop)),
        (
            "a sample of sitemaps",
            sitemaps
                .sample(&access, "https://ada.example", 10)
                .await
                .map(drop),
        ),
        ("days of sitemaps", sitemaps.days(&access, week).await.map(drop)),
        (
            "spent credits",
            credits.spent(access.workspace(), NOW).await.map(drop),
        ),
    ] {
        assert!(matches!(told, Err(StoreError::TooLong(_))), "{read}: {told:?}");
    }
    drop(blocker);
}

/// A shorter window would help, which is what a caller is told.
#[tokio::test]
async fn figures_of_the_lab_that_take_too_long_are_not_away() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let domain = fixture.access(&home).await;
    let options = DatabaseOptions {
        statement_timeout: Duration::from_millis(200),
        ..database_options()
    };
    let database = Database::connect(fixture.test.url(), &options).await.unwrap();
    let lab: Arc<dyn LabStore> = ports(&database).get().unwrap();
    let blocker = connect(fixture.test.url()).await;
    blocker
        .batch_execute("BEGIN; LOCK TABLE synthetic_runs IN ACCESS EXCLUSIVE MODE")
        .await
        .unwrap();
    let window = DateRange::ending(NOW.date(), 7);
    let query = SeriesQuery {
        window,
        url_id: None,
        profile_id: None,
        metrics: &[LabMetric::LcpMs],
        grain: Grain::Day,
    };
    let (standings, budgets, counts, series, changes) = tokio::join!(
        lab.standings(&domain, NOW),
        lab.budgets(&domain),
        lab.counts(&domain, NOW),
        lab.series(&domain, &query),
        lab.engine_changes(&domain, &query)
    );
    let told = [
        ("standings", standings.err()),
        ("budgets", budgets.err()),
        ("counts", counts.err()),
        ("series", series.err()),
        ("engine changes", changes.err()),
    ];
    for (name, error) in told {
        assert!(matches!(error, Some(StoreError::TooLong(_))), "{name}: {error:?}");
    }
    drop(blocker);
}

#[tokio::test]
async fn a_pool_that_is_in_use_is_away_for_whoever_comes_too_late() {
    let fixture = Fixture::new().await;
    let options = DatabaseOptions {
        pool_size: 1,
        application_name: "pharos small".to_owned(),
        ..quick()
    };
    let database = Database::connect(fixture.test.url(), &options).await.unwrap();
    let stores = Stores::new(&database);
    let blocker = connect(fixture.test.url()).await;
    blocker
        .batch_execute("BEGIN; LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE")
        .await
        .unwrap();
    let users = stores.users.clone();
    let first = tokio::spawn(async move { users.create("eve@example.org", "Eve", &actor(), NOW).await });
    waiting(&fixture, "pharos small").await;
    let second = stores.plans.list().await;
    assert!(is_away(&second), "{second:?}");
    drop(blocker);
    assert!(first.await.unwrap().is_ok());
}

/// A handler can be dropped half-way, and its transaction with it: the next who gets the connection finds none open.
#[tokio::test]
async fn a_change_that_is_dropped_half_way_leaves_nothing_behind() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let options = DatabaseOptions {
        pool_size: 1,
        application_name: "pharos small".to_owned(),
        ..quick()
    };
    let database = Database::connect(fixture.test.url(), &options).await.unwrap();
    let stores = Stores::new(&database);
    let blocker = connect(fixture.test.url()).await;
    blocker
        .batch_execute("BEGIN; LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE")
        .await
        .unwrap();
    let users = stores.users.clone();
    let changing = tokio::spawn(async move { users.set_disabled(home.owner, true, &actor(), NOW).await });
    waiting(&fixture, "pharos small").await;
    changing.abort();
    assert!(changing.await.unwrap_err().is_cancelled());
    drop(blocker);
    let name = "eve@example.org";
    let created = stores.users.create(name, "Eve", &actor(), NOW).await;
    assert!(created.is_ok(), "{created:?}");
    let seen = fixture
        .stores
        .users
        .find("ada@example.org")
        .await
        .unwrap()
        .unwrap();
    assert_eq!(seen.disabled_at, None);
    assert!(fixture.stores.users.find(name).await.unwrap().is_some());
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Integer)]
    number: i32,
    #[diesel(sql_type = Integer)]
    backend: i32,
}

async fn lines(connection: &mut PooledConnection, count: i32) -> BoxStream<'_, QueryResult<Line>> {
    // In the list of what is selected, rows are sent as they are made; after FROM all would be made first.
    let query = sql_query(
        "SELECT generate_series(1, $1) AS number, pg_backend_pid() AS backend, repeat('x', 1000) AS rest",
    );
    let stream = query.bind::<Integer, _>(count).load_stream(connection).await;
    stream.unwrap().boxed()
}

#[derive(QueryableByName)]
struct Compiling {
    #[diesel(sql_type = Text)]
    jit: String,
}

/// PostgreSQL would compile reads over many partitions for longer than they take.
#[tokio::test]
async fn no_statement_is_compiled() {
    let fixture = Fixture::new().await;
    let database = &fixture.database;
    for connection in [database.connection().await, database.long_read().await] {
        let mut connection = connection.unwrap();
        let query = sql_query("SELECT current_setting('jit') AS jit");
        let Compiling { jit } = query.get_result(&mut connection).await.unwrap();
        assert_eq!(jit, "off");
    }
}

#[derive(QueryableByName)]
struct Planning {
    #[diesel(sql_type = Text)]
    mode: String,
}

/// A plan that is made once for all sites is made for one of middling size, and takes a large one hundreds of times as long.
#[tokio::test]
async fn long_reads_are_planned_for_what_they_ask_each_time() {
    let fixture = Fixture::new().await;
    let database = &fixture.database;
    for (connection, expected) in [
        (database.connection().await, "auto"),
        (database.long_read().await, "force_custom_plan"),
    ] {
        let mut connection = connection.unwrap();
        let query = sql_query("SELECT current_setting('plan_cache_mode') AS mode");
        let Planning { mode } = query.get_result(&mut connection).await.unwrap();
        assert_eq!(mode, expected);
    }
}

#[derive(QueryableByName)]
struct Noticing {
    #[diesel(sql_type = Text)]
    every: String,
}

/// A node that is killed, or whose machine is gone, cancels nothing. PostgreSQL looks whether it is there still.
#[tokio::test]
async fn a_caller_that_is_gone_is_noticed_while_a_statement_runs() {
    let fixture = Fixture::new().await;
    let database = &fixture.database;
    for connection in [database.connection().await, database.long_read().await] {
        let mut connection = connection.unwrap();
        let query = sql_query("SELECT current_setting('client_connection_check_interval') AS every");
        let Noticing { every } = query.get_result(&mut connection).await.unwrap();
        assert_eq!(every, "2s");
    }
}

/// A caller hangs up while the rows of a long read come: PostgreSQL would send them for an hour.
#[tokio::test]
async fn a_read_that_is_dropped_while_its_rows_come_is_cancelled_and_frees_its_place() {
    let fixture = Fixture::new().await;
    let options = DatabaseOptions {
        long_reads: 1,
        wait_timeout: Duration::from_secs(60),
        statement_timeout: Duration::from_secs(3_600),
        application_name: "pharos small".to_owned(),
        ..database_options()
    };
    let database = Database::connect(fixture.test.url(), &options).await.unwrap();
    let mut connection = database.long_read().await.unwrap();
    let mut rows = lines(&mut connection, i32::MAX).await;
    let first = rows.next().await.unwrap().unwrap();
    assert_eq!(first.number, 1);
    drop(rows);
    drop(connection);
    // There is one place: whoever has it next is past the read that was given up.
    let mut next = database.long_read().await.unwrap();
    let running = "SELECT count(*) FROM pg_stat_activity
                   WHERE datname = current_database() AND application_name = $1 AND state = 'active'";
    assert_eq!(fixture.value::<i64>(running, &[&"pharos small"]).await, 0);
    let second: Vec<Line> = lines(&mut next, 3).await.try_collect().await.unwrap();
    assert_eq!(second.len(), 3);
    assert_ne!(
        second[0].backend, first.backend,
        "its cancellation meets nobody else"
    );
}

/// A read that came to its end gives its connection on.
#[tokio::test]
async fn a_long_read_that_is_over_keeps_its_connection() {
    let fixture = Fixture::new().await;
    let options = DatabaseOptions {
        long_reads: 1,
        wait_timeout: Duration::from_secs(60),
        ..database_options()
    };
    let database = Database::connect(fixture.test.url(), &options).await.unwrap();
    let mut backends = HashSet::new();
    for _ in 0..20 {
        let mut connection = database.long_read().await.unwrap();
        let rows: Vec<Line> = lines(&mut connection, 100).await.try_collect().await.unwrap();
        backends.insert(rows[99].backend);
    }
    // A busy machine may be too slow for one of them.
    assert!(backends.len() < 20, "{backends:?}");
}

/// Between its opening and the first statement of whoever asked for it.
#[tokio::test]
async fn a_connection_that_is_lost_while_it_is_set_up_is_away() {
    let fixture = Fixture::new().await;
    let relay = Relay::start(fixture.test.url()).await;
    for words in ["SET TIME ZONE", "SET CLIENT_ENCODING", "SET statement_timeout"] {
        let database = Database::new(&relay.url, &database_options()).unwrap();
        relay.swallow(words);
        let lost = database.ping().await;
        assert!(is_away(&lost), "{words}: {lost:?}");
        database.ping().await.unwrap();
    }
}
