//! Notifications that users have read, one by one and all at once: each is counted once, keeps its time, and lists look at little
//! else.

use std::{collections::BTreeMap, sync::Arc};

use pharos_alerting::{
    notification::{MOST_COUNTED, NotificationFilter, NotificationPage, NotificationType, ReadAll},
    store::{NotificationStore, Reach},
};
use pharos_domain::{
    identity::{DomainAccess, WorkspaceAccess},
    ids::NotificationId,
    page::{ListKey, PageRequest},
    store::StoreError,
};
use proptest::{prelude::*, strategy::ValueTree};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{
    filters::looked_at,
    harness::{Fixture, Home, NOW, after, charged},
};

const LIST: &str = include_str!("../../crates/alerting/pg/src/notifications/list.sql");
const BY_STATE: &str = include_str!("../../crates/alerting/pg/src/notifications/by_state.sql");
const UNREAD: &str = include_str!("../../crates/alerting/pg/src/notifications/unread.sql");
const NEWEST: &str = include_str!("../../crates/alerting/pg/src/notifications/unread_of_newest.sql");
const MARK_ALL: &str = include_str!("../../crates/alerting/pg/src/notifications/mark_all.sql");

/// A reader and the notifications about the domain of a home.
struct Reader {
    fixture: Fixture,
    home: Home,
    access: DomainAccess,
    reach: Vec<WorkspaceAccess>,
    store: Arc<dyn NotificationStore>,
}

impl Reader {
    async fn new() -> Self {
        let fixture = Fixture::new().await;
        let home = fixture.home("ada").await;
        Self {
            access: fixture.access(&home).await,
            reach: fixture.reach(&home).await,
            store: fixture.stores.ports.get().unwrap(),
            home,
            fixture,
        }
    }

    /// A notification that was made then, and comes now.
    async fn tell(&self, kind: NotificationType, at: OffsetDateTime) -> NotificationId {
        let id = NotificationId(Uuid::now_v7());
        self.fixture
            .sql
            .execute(
                "INSERT INTO notifications (id, workspace_id, domain_id, kind, severity, title, body, data, created_at)
                 VALUES ($1, $2, $3, $4, 'info', 'title', 'body', '{}', to_timestamp($5::bigint))",
                &[&id.0, &self.home.workspace.0, &self.home.domain.0, &kind.as_str(), &at.unix_timestamp()],
            )
            .await
            .unwrap();
        id
    }

    async fn mark(&self, id: NotificationId, read: bool, now: OffsetDateTime) {
        let access = charged(&self.access, 1, now);
        let marked = self.store.mark(&access, id, read, now).await.unwrap().unwrap();
        assert_eq!(marked.read_at.is_some(), read);
    }

    async fn mark_all(
        &self,
        kind: Option<NotificationType>,
        before: Option<OffsetDateTime>,
        now: OffsetDateTime,
    ) -> u64 {
        let access = charged(&self.access, 1, now);
        let choice = ReadAll { kind, before };
        self.store.mark_all(&access, &choice, now).await.unwrap()
    }

    /// A list of the domain, or of its workspace.
    async fn list(&self, of_domain: bool, filter: &NotificationFilter, limit: usize) -> NotificationPage {
        let reach = if of_domain {
            Reach::Domain(&self.access)
        } else {
            Reach::Workspaces(&self.reach)
        };
        let page = PageRequest {
            limit,
            after: None,
            list: ListKey::new("listNotifications", Uuid::nil()),
        };
        let reader = self.access.identity().user_id;
        self.store.list(reach, filter, reader, &page).await.unwrap()
    }

    /// When each was read.
    async fn read(&self) -> BTreeMap<Uuid, Option<OffsetDateTime>> {
        let page = self.list(true, &NotificationFilter::default(), 1_000).await.page;
        page.items.iter().map(|item| (item.id.0, item.read_at)).collect()
    }

    /// Holds every list against what is known.
    async fn holds(&self, known: &BTreeMap<Uuid, (NotificationType, Option<OffsetDateTime>)>) {
        let want: BTreeMap<Uuid, _> = known.iter().map(|(id, (_, read_at))| (*id, *read_at)).collect();
        assert_eq!(self.read().await, want);
        for of_domain in [true, false] {
            for kind in [None, Some(NotificationType::Alert)] {
                for unread in [None, Some(true), Some(false)] {
                    let filter = NotificationFilter {
                        kind,
                        unread,
                        ..NotificationFilter::default()
                    };
                    let of_kind = || {
                        known
                            .iter()
                            .filter(|(_, (of, _))| kind.is_none_or(|kind| *of == kind))
                    };
                    let found = self.list(of_domain, &filter, 1_000).await;
                    let mut ids: Vec<Uuid> = found.page.items.iter().map(|item| item.id.0).collect();
                    ids.sort_unstable();
                    let want =
                        of_kind().filter(|(_, (_, read_at))| unread.is_none_or(|it| read_at.is_none() == it));
                    assert_eq!(ids, want.map(|(id, _)| *id).collect::<Vec<_>>(), "{filter:?}");
                    let total = of_kind().filter(|(_, (_, read_at))| read_at.is_none()).count();
                    assert_eq!(found.unread_total, u64::try_from(total).unwrap(), "{filter:?}");
                }
            }
        }
    }
}

/// An act on notifications.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// One is told that was made so many seconds before now.
    Tell(bool, i64),
    /// One of them is marked.
    Mark(prop::sample::Index, bool),
    /// All are, of alerts alone or not, before so many seconds ago or without such a bound.
    MarkAll(bool, Option<i64>),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    // Across the moment up to which marks are set.
    let ago = || prop_oneof![0_i64..30, 580_i64..1_300];
    let act = prop_oneof![
        3 => (any::<bool>(), ago()).prop_map(|(is_alert, ago)| Act::Tell(is_alert, ago)),
        2 => (any::<prop::sample::Index>(), any::<bool>()).prop_map(|(which, read)| Act::Mark(which, read)),
        2 => (any::<bool>(), prop::option::of(ago())).prop_map(|(alerts, ago)| Act::MarkAll(alerts, ago)),
    ];
    prop::collection::vec(act, 1..40)
}

/// Whatever comes early, late or in the same moment, by marks it is what it would be if each were marked by itself.
#[tokio::test]
async fn what_is_read_is_what_was_there_when_it_was_marked() {
    let mut runner = prop::test_runner::TestRunner::deterministic();
    for _ in 0..12 {
        let acts = acts().new_tree(&mut runner).unwrap().current();
        let reader = Reader::new().await;
        let mut known: BTreeMap<Uuid, (NotificationType, Option<OffsetDateTime>)> = BTreeMap::new();
        let mut made: BTreeMap<Uuid, OffsetDateTime> = BTreeMap::new();
        for (act, now) in acts.into_iter().zip((0..).map(|round| after(round * 300))) {
            match act {
                Act::Tell(is_alert, ago) => {
                    let kind = if is_alert {
                        NotificationType::Alert
                    } else {
                        NotificationType::RunFinished
                    };
                    let at = now - Duration::seconds(ago);
                    let id = reader.tell(kind, at).await.0;
                    known.insert(id, (kind, None));
                    made.insert(id, at);
                }
                Act::Mark(_, _) if known.is_empty() => {}
                Act::Mark(which, read) => {
                    let id = *known.keys().nth(which.index(known.len())).unwrap();
                    reader.mark(NotificationId(id), read, now).await;
                    let read_at = &mut known.get_mut(&id).unwrap().1;
                    *read_at = read.then(|| read_at.unwrap_or(now));
                }
                Act::MarkAll(alerts, ago) => {
                    let kind = alerts.then_some(NotificationType::Alert);
                    let before = ago.map(|ago| now - Duration::seconds(ago));
                    let mut updated = 0;
                    for (id, (of, read_at)) in &mut known {
                        let is_meant =
                            kind.is_none_or(|kind| *of == kind) && made[id] < before.unwrap_or(now);
                        if is_meant && read_at.is_none() {
                            *read_at = Some(now);
                            updated += 1;
                        }
                    }
                    assert_eq!(reader.mark_all(kind, before, now).await, updated, "{act:?}");
                }
            }
        }
        reader.holds(&known).await;
    }
}

/// Near enough to now that each is marked by itself, and long enough ago that a mark is set.
#[tokio::test]
async fn what_was_made_at_the_moment_before_which_all_is_read_stays_unread() {
    for ago in [Duration::MINUTE, Duration::minutes(30)] {
        let reader = Reader::new().await;
        let at = NOW - ago;
        let id = reader.tell(NotificationType::Alert, at).await;
        assert_eq!(reader.mark_all(None, Some(at), NOW).await, 0, "{ago}");
        assert_eq!(reader.read().await, BTreeMap::from([(id.0, None)]), "{ago}");
        let next = Some(at + Duration::MICROSECOND);
        assert_eq!(reader.mark_all(None, next, NOW).await, 1, "{ago}");
        assert_eq!(reader.read().await, BTreeMap::from([(id.0, Some(NOW))]), "{ago}");
    }
}

/// A notification about a workspace has no domain to be marked with: it is unread for good.
#[tokio::test]
async fn what_is_about_a_workspace_stays_unread() {
    let reader = Reader::new().await;
    reader
        .tell(NotificationType::Announcement, NOW - Duration::HOUR)
        .await;
    let of_workspace = "UPDATE notifications SET domain_id = NULL";
    reader.fixture.sql.batch_execute(of_workspace).await.unwrap();
    assert_eq!(reader.mark_all(None, None, NOW).await, 0);
    for (unread, found, unread_total) in [(None, 1, 1), (Some(true), 1, 1), (Some(false), 0, 1)] {
        let filter = NotificationFilter {
            unread,
            ..NotificationFilter::default()
        };
        let page = reader.list(false, &filter, 10).await;
        assert_eq!((page.page.items.len(), page.unread_total), (found, unread_total));
    }
    // The navigation counts what can be marked.
    let (user, workspace) = (reader.access.identity().user_id, &reader.reach[0]);
    let newest = reader.store.unread_of_newest(workspace, user, 100).await;
    assert_eq!(newest.unwrap(), 0);
    for seconds in 1..=3 {
        reader.tell(NotificationType::Alert, after(seconds)).await;
    }
    for (most, expected) in [(100, 3), (2, 2)] {
        let newest = reader.store.unread_of_newest(workspace, user, most).await;
        assert_eq!(newest.unwrap(), expected);
    }
    // However many are newer, and whatever their kind.
    let newer = "INSERT INTO notifications (id, workspace_id, kind, severity, title, body, data, created_at)
        SELECT uuid_v7(), $1, kind, 'info', 'title', 'body', '{}', now()
        FROM unnest(ARRAY['alert', 'announcement']) AS kind, generate_series(1, 5)";
    let sql = &reader.fixture.sql;
    sql.execute(newer, &[&reader.home.workspace.0]).await.unwrap();
    let newest = reader.store.unread_of_newest(workspace, user, 2).await;
    assert_eq!(newest.unwrap(), 2);
}

/// 40,000 notifications about one domain, the last of them an hour old.
async fn many(reader: &Reader) {
    reader
        .fixture
        .sql
        .execute(
            "INSERT INTO notifications (id, workspace_id, domain_id, kind, severity, title, body, data, created_at)
             SELECT gen_random_uuid(), $1, $2, CASE n % 4 WHEN 0 THEN 'run_finished' ELSE 'alert' END, 'info', 'title', 'body',
                 '{}', to_timestamp($3::bigint) - n * interval '1 minute'
             FROM generate_series(60, 40059) AS n",
            &[&reader.home.workspace.0, &reader.home.domain.0, &NOW.unix_timestamp()],
        )
        .await
        .unwrap();
    let analyze =
        "VACUUM ANALYZE notifications, notification_reads, notification_read_marks, domains, workspaces";
    reader.fixture.sql.batch_execute(analyze).await.unwrap();
}

/// Notifications that were read at once are looked at by no count, no list of unread ones, and no further mark.
#[tokio::test]
async fn what_lies_before_a_mark_is_not_looked_at() {
    let reader = Reader::new().await;
    many(&reader).await;
    assert_eq!(reader.mark_all(None, None, NOW).await, 40_000);
    let rows: i64 = reader
        .fixture
        .value("SELECT count(*) FROM notification_reads", &[])
        .await;
    assert_eq!(rows, 0, "a mark is one row a kind");
    for seconds in 1..=3 {
        reader.tell(NotificationType::Alert, after(seconds)).await;
    }
    let sql = &reader.fixture.sql;
    for (name, types, text) in [
        (
            "list",
            "uuid, uuid[], text[], text, text, uuid, timestamptz, uuid, bigint",
            LIST,
        ),
        (
            "by_state",
            "uuid, uuid[], text[], text, text, uuid, timestamptz, uuid, boolean, bigint",
            BY_STATE,
        ),
        ("unread", "uuid, uuid[], text[], text, text, uuid, bigint", UNREAD),
        ("newest", "uuid, uuid, text[], bigint", NEWEST),
        (
            "mark_all",
            "uuid, uuid, text[], timestamptz, timestamptz, timestamptz",
            MARK_ALL,
        ),
    ] {
        let prepare = format!("PREPARE {name} ({types}) AS {text}");
        sql.batch_execute(&prepare).await.unwrap();
    }
    let (domain, workspace, kinds) = (reader.home.domain, reader.home.workspace, kinds());
    let user = reader.access.identity().user_id;
    let [of_domain, of_workspace] = [
        format!("'{domain}', '{{}}', {kinds}, NULL, NULL, '{user}'"),
        format!("NULL, '{{{workspace}}}', {kinds}, NULL, NULL, '{user}'"),
    ];
    for mode in ["force_custom_plan", "force_generic_plan"] {
        let set = format!("SET plan_cache_mode = {mode}");
        sql.batch_execute(&set).await.unwrap();
        for execute in [
            format!("EXECUTE unread ({of_domain}, 10000)"),
            format!("EXECUTE unread ({of_workspace}, 10000)"),
            format!("EXECUTE newest ('{workspace}', '{user}', {kinds}, 100)"),
            format!("EXECUTE list ({of_domain}, NULL, NULL, 51)"),
            format!("EXECUTE list ({of_workspace}, '2026-03-20 09:00Z', '{domain}', 51)"),
            format!("EXECUTE by_state ({of_domain}, NULL, NULL, true, 51)"),
            format!("EXECUTE by_state ({of_workspace}, NULL, NULL, true, 51)"),
            format!("EXECUTE by_state ({of_domain}, '2026-03-20 09:00Z', '{domain}', false, 51)"),
            format!(
                "EXECUTE mark_all ('{domain}', '{user}', {kinds}, '2026-03-31 09:00Z', '2026-03-31 09:15Z', '2026-03-31 09:00Z')"
            ),
        ] {
            let (looked_at, plan) = looked_at(&reader.fixture, &execute, "notifications").await;
            assert!(looked_at < 250, "{looked_at} rows, {mode}: {execute}\n{plan}");
        }
    }
}

/// Each list counts what is unread: where nobody reads, it counts only so far, and looks no further.
#[tokio::test]
async fn however_much_is_unread_it_is_counted_only_so_far() {
    let reader = Reader::new().await;
    many(&reader).await;
    for of_domain in [true, false] {
        let found = reader.list(of_domain, &NotificationFilter::default(), 1).await;
        assert_eq!(found.unread_total, u64::from(MOST_COUNTED));
    }
    let sql = &reader.fixture.sql;
    let prepare = format!("PREPARE unread (uuid, uuid[], text[], text, text, uuid, bigint) AS {UNREAD}");
    sql.batch_execute(&prepare).await.unwrap();
    let (domain, workspace, kinds) = (reader.home.domain, reader.home.workspace, kinds());
    let user = reader.access.identity().user_id;
    for mode in ["force_custom_plan", "force_generic_plan"] {
        let set = format!("SET plan_cache_mode = {mode}");
        sql.batch_execute(&set).await.unwrap();
        for reach in [format!("'{domain}', '{{}}'"), format!("NULL, '{{{workspace}}}'")] {
            let execute = format!("EXECUTE unread ({reach}, {kinds}, NULL, NULL, '{user}', 500)");
            let (looked_at, plan) = looked_at(&reader.fixture, &execute, "notifications").await;
            assert!(looked_at < 2_000, "{looked_at} rows, {mode}: {execute}\n{plan}");
        }
    }
}

/// As where somebody asks for many lists at once: they wait for their own, and nobody else does.
#[tokio::test]
async fn whoever_has_many_lists_under_way_leaves_connections_to_others() {
    let reader = Reader::new().await;
    let other = reader.fixture.home("grace").await;
    let other = reader.fixture.access(&other).await;
    let workspace = reader.home.workspace.0;
    let mut shares = Vec::new();
    for _ in 0..4 {
        shares.push(reader.fixture.database.long_read_share(workspace).await.unwrap());
    }
    let list = async |access: &DomainAccess| {
        let page = PageRequest {
            limit: 1,
            after: None,
            list: ListKey::new("listNotifications", Uuid::nil()),
        };
        let user = access.identity().user_id;
        let filter = NotificationFilter::default();
        let found = reader
            .store
            .list(Reach::Domain(access), &filter, user, &page)
            .await;
        found.map(|found| found.unread_total)
    };
    let refused = list(&reader.access).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    assert_eq!(list(&other).await.unwrap(), 0);
    drop(shares);
    assert_eq!(list(&reader.access).await.unwrap(), 0);
}

/// The kinds of notifications, as statements take them.
fn kinds() -> String {
    let kinds: Vec<&str> = NotificationType::ALL.iter().map(|kind| kind.as_str()).collect();
    format!("'{{{}}}'", kinds.join(","))
}

/// Notifications that a filter seldom lets through are looked for in an index of their domain or their workspace, and not among
/// the rows themselves.
#[tokio::test]
async fn what_is_rare_is_looked_for_in_the_index() {
    let reader = Reader::new().await;
    many(&reader).await;
    let sql = &reader.fixture.sql;
    let prepare =
        format!("PREPARE list (uuid, uuid[], text[], text, text, uuid, timestamptz, uuid, bigint) AS {LIST}");
    sql.batch_execute(&prepare).await.unwrap();
    let (domain, workspace, kinds) = (reader.home.domain, reader.home.workspace, kinds());
    let user = reader.access.identity().user_id;
    for mode in ["force_custom_plan", "force_generic_plan"] {
        let set = format!("SET plan_cache_mode = {mode}");
        sql.batch_execute(&set).await.unwrap();
        for (reach, index) in [
            (format!("'{domain}', '{{}}'"), "notifications_domain_idx"),
            (format!("NULL, '{{{workspace}}}'"), "notifications_kind_idx"),
        ] {
            for filter in ["'critical', NULL", "NULL, 'robots'"] {
                let execute = format!("EXECUTE list ({reach}, {kinds}, {filter}, '{user}', NULL, NULL, 51)");
                let (_, plan) = looked_at(&reader.fixture, &execute, "notifications").await;
                assert!(
                    plan.contains(&format!("Index Only Scan Backward using {index}")),
                    "{mode}: {execute}\n{plan}"
                );
            }
        }
    }
}

/// The few that somebody marked as unread are found without looking at the many that they read one by one.
#[tokio::test]
async fn what_was_marked_as_unread_is_looked_for_in_its_own_index() {
    let reader = Reader::new().await;
    many(&reader).await;
    let sql = &reader.fixture.sql;
    let user = reader.access.identity().user_id;
    let marked = "INSERT INTO notification_reads (user_id, notification_id, read_at)
        SELECT $1, id, CASE WHEN number > 3 THEN now() END
        FROM (SELECT id, row_number() OVER (ORDER BY created_at, id) AS number FROM notifications) AS n
        WHERE number <= 5000";
    sql.execute(marked, &[&user.0]).await.unwrap();
    let analyze = "VACUUM ANALYZE notification_reads";
    sql.batch_execute(analyze).await.unwrap();
    let prepare = format!(
        "PREPARE by_state (uuid, uuid[], text[], text, text, uuid, timestamptz, uuid, boolean, bigint) AS {BY_STATE}"
    );
    sql.batch_execute(&prepare).await.unwrap();
    let (domain, workspace, kinds) = (reader.home.domain, reader.home.workspace, kinds());
    for mode in ["force_custom_plan", "force_generic_plan"] {
        let set = format!("SET plan_cache_mode = {mode}");
        sql.batch_execute(&set).await.unwrap();
        for reach in [format!("'{domain}', '{{}}'"), format!("NULL, '{{{workspace}}}'")] {
            let execute =
                format!("EXECUTE by_state ({reach}, {kinds}, NULL, NULL, '{user}', NULL, NULL, true, 51)");
            let (looked_at, plan) = looked_at(&reader.fixture, &execute, "notification_reads").await;
            assert!(
                plan.contains("notification_reads_unread_idx") && looked_at < 250,
                "{looked_at} rows, {mode}: {execute}\n{plan}"
            );
        }
    }
}
