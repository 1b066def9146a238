//! Beacons, stored in groups: all that came while the last group was being committed make the next. A beacon's word is taken as
//! it is; nobody looks whether it is true, from whom it comes, or whether it is allowed.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use actix_web::{
    HttpRequest, HttpResponse,
    error::{ErrorBadRequest, ErrorInternalServerError},
    web::{self, Bytes, ServiceConfig},
};
use anyhow::Result;
use diesel::{
    QueryableByName, sql_query,
    sql_types::{Array, BigInt, Integer, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use serde::Deserialize;
use time::{Duration, OffsetDateTime};
use tokio::sync::{mpsc, oneshot};
use url::Url;
use uuid::Uuid;

/// As many as Pharos stores together.
const GROUP: usize = 512;

/// Takes beacons.
#[derive(Clone)]
pub(in crate::serve) struct Collecting {
    waiting: mpsc::UnboundedSender<Waiting>,
    /// The numbers of pages, all of which are known.
    pages: Arc<HashMap<String, i32>>,
}

/// A beacon that waits to be stored.
struct Waiting {
    beacon: Uuid,
    visitor: i64,
    views: Vec<(OffsetDateTime, i32)>,
    stored: oneshot::Sender<()>,
}

#[derive(Deserialize)]
struct Body {
    beacon: Uuid,
    events: Vec<Event>,
}

#[derive(Deserialize)]
struct Event {
    age_ms: i64,
    url: String,
}

#[derive(QueryableByName)]
struct PageRow {
    #[diesel(sql_type = Integer)]
    id: i32,
    #[diesel(sql_type = Text)]
    value: String,
}

#[derive(QueryableByName)]
struct DomainRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

impl Collecting {
    /// Reads what is known, and begins to store.
    pub(in crate::serve) async fn start(database_url: &str) -> Result<Self> {
        let mut connection = AsyncPgConnection::establish(database_url).await?;
        let pages: Vec<PageRow> = sql_query("SELECT id, value FROM analytics_values WHERE dimension = 0")
            .load(&mut connection)
            .await?;
        let domain: DomainRow = sql_query("SELECT id FROM domains ORDER BY created_at LIMIT 1")
            .get_result(&mut connection)
            .await?;
        let (waiting, came) = mpsc::unbounded_channel();
        drop(tokio::spawn(store(connection, domain.id, came)));
        Ok(Self {
            waiting,
            pages: Arc::new(pages.into_iter().map(|page| (page.value, page.id)).collect()),
        })
    }

    /// Mounts it.
    pub(in crate::serve) fn configure(&self, config: &mut ServiceConfig) {
        config
            .app_data(web::Data::new(self.clone()))
            .route("/collect/events", web::post().to(take));
    }
}

async fn take(
    request: HttpRequest,
    body: Bytes,
    collecting: web::Data<Collecting>,
) -> actix_web::Result<HttpResponse> {
    let now = OffsetDateTime::now_utc();
    let body: Body = serde_json::from_slice(&body)?;
    let mut views = Vec::with_capacity(body.events.len());
    for event in &body.events {
        let url = Url::parse(&event.url).map_err(ErrorBadRequest)?;
        let page = collecting.pages.get(url.path());
        let page = page.ok_or_else(|| ErrorBadRequest("an unknown page"))?;
        views.push((now - Duration::milliseconds(event.age_ms), *page));
    }
    let mut visitor = DefaultHasher::new();
    for name in ["x-forwarded-for", "user-agent"] {
        request
            .headers()
            .get(name)
            .map(|value| value.as_bytes())
            .hash(&mut visitor);
    }
    let (stored, when_stored) = oneshot::channel();
    let waiting = Waiting {
        beacon: body.beacon,
        visitor: visitor.finish().cast_signed(),
        views,
        stored,
    };
    let unstored = || ErrorInternalServerError("the beacon can't be stored");
    collecting.waiting.send(waiting).map_err(|_| unstored())?;
    when_stored.await.map_err(|_| unstored())?;
    Ok(HttpResponse::Accepted().finish())
}

/// Stores what comes, a group a transaction.
async fn store(mut connection: AsyncPgConnection, domain: Uuid, mut came: mpsc::UnboundedReceiver<Waiting>) {
    let mut group = Vec::with_capacity(GROUP);
    while came.recv_many(&mut group, GROUP).await > 0 {
        let rows = Rows::of(&group);
        let saved = connection
            .transaction::<_, diesel::result::Error, _>(async |connection| {
                rows.save(connection, domain).await
            })
            .await;
        let group = group.drain(..);
        match saved {
            Ok(()) => group.for_each(|waiting| {
                // Who no longer waits needs no word.
                let _ = waiting.stored.send(());
            }),
            // Whoever waits is told by the end of the channel.
            Err(error) => eprintln!("a group can't be stored: {error}"),
        }
    }
}

/// The rows of a group, a list a column.
#[derive(Default)]
struct Rows {
    beacons: Vec<Uuid>,
    visitors: Vec<i64>,
    sessions: Vec<i64>,
    began: Vec<OffsetDateTime>,
    ended: Vec<OffsetDateTime>,
    views: Vec<i32>,
    entries: Vec<i32>,
    exits: Vec<i32>,
    hits: Hits,
}

#[derive(Default)]
struct Hits {
    at: Vec<OffsetDateTime>,
    ids: Vec<i64>,
    sessions: Vec<i64>,
    visitors: Vec<i64>,
    pages: Vec<i32>,
}

impl Rows {
    /// Every beacon is another visitor's, whose first session it begins.
    fn of(group: &[Waiting]) -> Self {
        let mut rows = Self::default();
        for waiting in group {
            let views = waiting.views.iter();
            let (Some((began, entry)), Some((ended, exit))) = (views.clone().min(), views.max()) else {
                continue;
            };
            let session = fastrand::i64(1..);
            rows.beacons.push(waiting.beacon);
            rows.visitors.push(waiting.visitor);
            rows.sessions.push(session);
            rows.began.push(*began);
            rows.ended.push(*ended);
            rows.views
                .push(i32::try_from(waiting.views.len()).unwrap_or(i32::MAX));
            rows.entries.push(*entry);
            rows.exits.push(*exit);
            for (at, page) in &waiting.views {
                rows.hits.at.push(*at);
                rows.hits.ids.push(fastrand::i64(1..));
                rows.hits.sessions.push(session);
                rows.hits.visitors.push(waiting.visitor);
                rows.hits.pages.push(*page);
            }
        }
        rows
    }

    /// In the tables of Pharos, with what it found of the browser.
    async fn save(&self, connection: &mut AsyncPgConnection, domain: Uuid) -> diesel::QueryResult<()> {
        sql_query(
            "INSERT INTO analytics_beacons (domain_id, beacon_id) SELECT $1, unnest($2) ON CONFLICT DO NOTHING",
        )
        .bind::<SqlUuid, _>(domain)
        .bind::<Array<SqlUuid>, _>(&self.beacons)
        .execute(connection)
        .await?;
        sql_query(
            "INSERT INTO analytics_visitors (domain_id, visitor_id, visits)
            SELECT $1, v.visitor_id, ARRAY[
                v.id, (extract(epoch FROM v.began) * 1000000)::bigint, (extract(epoch FROM v.ended) * 1000000)::bigint
            ]
            FROM unnest($2, $3, $4, $5) AS v (visitor_id, id, began, ended)
            ON CONFLICT (domain_id, visitor_id) DO UPDATE SET visits = excluded.visits, touched_at = now()",
        )
        .bind::<SqlUuid, _>(domain)
        .bind::<Array<BigInt>, _>(&self.visitors)
        .bind::<Array<BigInt>, _>(&self.sessions)
        .bind::<Array<Timestamptz>, _>(&self.began)
        .bind::<Array<Timestamptz>, _>(&self.ended)
        .execute(connection)
        .await?;
        sql_query(
            "INSERT INTO analytics_sessions (domain_id, visitor_id, id, started_at, ended_at, pageviews, events, clicks, entry_page,
                entry_at, exit_page, exit_at, channel, source, device, browser, browser_version, os)
            SELECT $1, s.visitor_id, s.id, s.began, s.ended, s.views, 0, 0, s.entry_page, s.began, s.exit_page, s.ended,
                t.channel, t.source, t.device, t.browser, t.browser_version, t.os
            FROM unnest($2, $3, $4, $5, $6, $7, $8) AS s (visitor_id, id, began, ended, views, entry_page, exit_page)
            CROSS JOIN bench_browser AS t",
        )
        .bind::<SqlUuid, _>(domain)
        .bind::<Array<BigInt>, _>(&self.visitors)
        .bind::<Array<BigInt>, _>(&self.sessions)
        .bind::<Array<Timestamptz>, _>(&self.began)
        .bind::<Array<Timestamptz>, _>(&self.ended)
        .bind::<Array<Integer>, _>(&self.views)
        .bind::<Array<Integer>, _>(&self.entries)
        .bind::<Array<Integer>, _>(&self.exits)
        .execute(connection)
        .await?;
        let hits = &self.hits;
        sql_query(
            "INSERT INTO analytics_hits (domain_id, at, id, session_id, visitor_id, kind, page, channel, source, device, browser, os)
            SELECT $1, h.at, h.id, h.session_id, h.visitor_id, 0, h.page, t.channel, t.source, t.device, t.browser, t.os
            FROM unnest($2, $3, $4, $5, $6) AS h (at, id, session_id, visitor_id, page)
            CROSS JOIN bench_browser AS t",
        )
        .bind::<SqlUuid, _>(domain)
        .bind::<Array<Timestamptz>, _>(&hits.at)
        .bind::<Array<BigInt>, _>(&hits.ids)
        .bind::<Array<BigInt>, _>(&hits.sessions)
        .bind::<Array<BigInt>, _>(&hits.visitors)
        .bind::<Array<Integer>, _>(&hits.pages)
        .execute(connection)
        .await?;
        Ok(())
    }
}
