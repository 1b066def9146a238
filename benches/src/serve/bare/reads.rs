//! One row by its primary key: on a pool, as one would; and on connections that requests share.

use std::cell::Cell;

use actix_web::{
    HttpResponse,
    error::ErrorInternalServerError,
    http::header::ContentType,
    web::{self, ServiceConfig},
};
use anyhow::Result;
use diesel::{ExpressionMethods, QueryDsl};
use diesel_async::{
    AsyncConnection, AsyncPgConnection, RunQueryDsl,
    pooled_connection::{AsyncDieselConnectionManager, ManagerConfig, RecyclingMethod, deadpool::Pool},
};
use serde::Deserialize;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::path_of;
use crate::serve::{
    operations::READ,
    payloads::Brief,
    tables::uptime_monitors::dsl::{
        created_at, domain_id, settings, updated_at, updated_by, uptime_monitors,
    },
};

/// As many connections as Pharos's own pool holds.
const POOL: usize = 16;
/// How many connections the requests of a worker share.
const SHARED: usize = 2;

pub(in crate::serve) type PgPool = Pool<AsyncPgConnection>;

/// A pool that asks a connection nothing before it hands it out.
pub(in crate::serve) fn pool(database_url: &str) -> Result<PgPool> {
    let mut config = ManagerConfig::default();
    config.recycling_method = RecyclingMethod::Fast;
    let manager = AsyncDieselConnectionManager::new_with_config(database_url, config);
    Ok(Pool::builder(manager).max_size(POOL).build()?)
}

/// Mounts the read on a pool.
pub(in crate::serve) fn reads(config: &mut ServiceConfig, pool: &PgPool) {
    config
        .app_data(web::Data::new(pool.clone()))
        .route(&path_of(&READ), web::get().to(on_the_pool));
}

/// Mounts the read on shared connections.
pub(in crate::serve) fn pipelined(config: &mut ServiceConfig, database_url: &str) {
    let shared = web::Data::new(Shared {
        database_url: database_url.to_owned(),
        connections: tokio::sync::OnceCell::new(),
        next: Cell::new(0),
    });
    config
        .app_data(shared)
        .route(&path_of(&READ), web::get().to(on_shared_connections));
}

/// The connections of a worker, opened on it by its first request.
struct Shared {
    database_url: String,
    connections: tokio::sync::OnceCell<Vec<AsyncPgConnection>>,
    next: Cell<usize>,
}

impl Shared {
    async fn open(&self) -> Result<Vec<AsyncPgConnection>, diesel::ConnectionError> {
        let mut connections = Vec::with_capacity(SHARED);
        for _ in 0..SHARED {
            connections.push(AsyncPgConnection::establish(&self.database_url).await?);
        }
        Ok(connections)
    }
}

async fn on_the_pool(id: web::Path<Uuid>, pool: web::Data<PgPool>) -> actix_web::Result<HttpResponse> {
    let connection = pool.get().await.map_err(ErrorInternalServerError)?;
    let row = row(id.into_inner(), &connection).await;
    answer(row)
}

async fn on_shared_connections(
    id: web::Path<Uuid>,
    shared: web::Data<Shared>,
) -> actix_web::Result<HttpResponse> {
    let connections = shared.connections.get_or_try_init(|| shared.open()).await;
    let connections = connections.map_err(ErrorInternalServerError)?;
    shared.next.set(shared.next.get() + 1);
    let row = row(id.into_inner(), &connections[shared.next.get() % SHARED]).await;
    answer(row)
}

type Row = (Value, OffsetDateTime, OffsetDateTime, Option<Uuid>);

async fn row(id: Uuid, mut connection: &AsyncPgConnection) -> diesel::QueryResult<Row> {
    uptime_monitors
        .filter(domain_id.eq(id))
        .select((settings, created_at, updated_at, updated_by))
        .first(&mut connection)
        .await
}

fn answer(row: diesel::QueryResult<Row>) -> actix_web::Result<HttpResponse> {
    let (stored, ..) = row.map_err(ErrorInternalServerError)?;
    let Settings {
        enabled,
        interval_seconds,
    } = Settings::deserialize(stored)?;
    let brief = Brief {
        enabled,
        interval_seconds,
    };
    Ok(HttpResponse::Ok()
        .insert_header(ContentType::json())
        .body(super::ready::bytes(&brief)))
}

#[derive(Deserialize)]
struct Settings {
    enabled: bool,
    interval_seconds: u32,
}
