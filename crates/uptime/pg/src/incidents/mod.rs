//! The incidents of a domain.

pub(crate) mod event_row;
pub(crate) mod row;

use std::collections::BTreeMap;

use async_trait::async_trait;
use diesel::{
    BoolExpressionMethods, ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName, SelectableHelper,
    sql_types::{BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use ipnet::IpNet;
use pharos_domain::{
    identity::DomainAccess,
    ids::{DomainId, IncidentId},
    page::{Page, PageRequest, Position},
    store::StoreError,
    time_range::TimeRange,
};
use pharos_persistence::{
    failure::{failure, read_failure},
    json::Json,
    names,
    pool::Database,
    set_aside::Kind,
    sql,
};
use pharos_uptime::{
    check::Outcome,
    incident::{Incident, IncidentClass, IncidentDetail, IncidentStatus, class_counts},
    store::{INCIDENT_CHECKS, INCIDENTS_READ, IncidentFilter, IncidentList, IncidentStore},
};

use self::{event_row::EventRow, row::FoundIncidentRow};
use super::check_row::CheckRow;
use crate::schema::{uptime_checks, uptime_incident_events, uptime_incidents};

/// The status by which a site blocks the prober.
const FORBIDDEN: i32 = 403;

/// Incidents in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgIncidentStore {
    database: Database,
}

impl PgIncidentStore {
    /// The incidents of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct RegionRow {
    #[diesel(sql_type = Text)]
    region: String,
    #[diesel(sql_type = BigInt)]
    found: i64,
}

#[derive(QueryableByName)]
struct CountRow {
    #[diesel(sql_type = Nullable<Text>)]
    class: Option<String>,
    #[diesel(sql_type = BigInt)]
    found: i64,
    #[diesel(sql_type = Bool)]
    is_truncated: bool,
    #[diesel(sql_type = Bool)]
    is_scanned: bool,
}

#[async_trait]
impl IncidentStore for PgIncidentStore {
    async fn list(
        &self,
        domain: &DomainAccess,
        filter: &IncidentFilter,
        page: &PageRequest,
    ) -> Result<IncidentList, StoreError> {
        let mut connection = self.database.long_read().await?;
        let class = filter.class.map(|class| class.as_str());
        let is_open = filter.status.map(|status| status == IncidentStatus::Open);
        let (at, id) = page.after.map(|after| (after.key, after.id)).unzip();
        let query = sql!("list.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Timestamptz, _>(filter.range.from)
            .bind::<Timestamptz, _>(filter.range.until)
            .bind::<Nullable<Text>, _>(class)
            .bind::<Nullable<Bool>, _>(is_open)
            .bind::<BigInt, _>(i64::from(INCIDENTS_READ))
            .bind::<Nullable<Timestamptz>, _>(at)
            .bind::<Nullable<SqlUuid>, _>(id)
            .bind::<BigInt, _>(page.rows());
        let rows: Vec<FoundIncidentRow> = query.load(&mut connection).await.map_err(read_failure)?;
        let page = Page::cut(rows, page, |row| Position {
            key: row.incident.started_at,
            id: row.incident.id,
        });
        let query = sql!("counts.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Timestamptz, _>(filter.range.from)
            .bind::<Timestamptz, _>(filter.range.until)
            .bind::<Nullable<Text>, _>(class)
            .bind::<Nullable<Bool>, _>(is_open)
            .bind::<BigInt, _>(i64::from(INCIDENTS_READ));
        let counts: Vec<CountRow> = query.load(&mut connection).await.map_err(read_failure)?;
        drop(connection);
        let readable = self
            .database
            .readable_page(Kind::Incident, page, |row| row.incident.id);
        let page = readable.await;
        let mut counted: BTreeMap<IncidentClass, u32> = BTreeMap::new();
        let (mut scanned, mut is_truncated) = (0_u32, false);
        for row in counts {
            if let Some(class) = row.class {
                // A newer node has another one; incidents of it are left out of the list, too.
                if let Ok(class) = class.parse() {
                    counted.insert(class, names::count(row.found)?);
                }
            } else if row.is_scanned {
                scanned = names::count(row.found)?;
                is_truncated = row.is_truncated;
            }
        }
        let listed = filter.class.map(|class| (class, scanned));
        Ok(IncidentList {
            page,
            class_counts: class_counts(counted, listed, is_truncated),
            scanned,
            is_truncated,
        })
    }

    async fn count_by_region(
        &self,
        domain: &DomainAccess,
        range: TimeRange,
    ) -> Result<Vec<(String, u32)>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let query = sql!("by_region.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Timestamptz, _>(range.from)
            .bind::<Timestamptz, _>(range.until);
        let rows: Vec<RegionRow> = query.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter()
            .map(|row| Ok((row.region, names::count(row.found)?)))
            .collect()
    }

    async fn detail(
        &self,
        domain: &DomainAccess,
        id: IncidentId,
    ) -> Result<Option<IncidentDetail>, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("one.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<SqlUuid, _>(id.0);
        let row: Option<FoundIncidentRow> = query
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        let Some(row) = row else {
            return Ok(None);
        };
        let incident = Incident::try_from(row)?;
        let (headers, ip): (Json<Option<BTreeMap<String, String>>>, Option<IpNet>) = uptime_incidents::table
            .find(id.0)
            .select((uptime_incidents::response_headers, uptime_incidents::resolved_ip))
            .first(&mut connection)
            .await
            .map_err(failure)?;
        let timeline = timeline(&mut connection, id).await?;
        let checks = failing(&mut connection, domain.id(), &incident).await?;
        drop(connection);
        let timeline = self.database.readable(Kind::Incident, timeline, |_| id).await;
        let checks = self.database.readable(Kind::Check, checks, |row| row.id).await;
        Ok(Some(IncidentDetail {
            incident,
            timeline,
            checks,
            response_headers: headers.read("the headers of an incident")?.unwrap_or_default(),
            resolved_ip: ip.map(|ip| ip.addr()),
        }))
    }
}

async fn timeline(
    connection: &mut AsyncPgConnection,
    incident: IncidentId,
) -> Result<Vec<EventRow>, StoreError> {
    uptime_incident_events::table
        .filter(uptime_incident_events::incident_id.eq(incident.0))
        .order((uptime_incident_events::at, uptime_incident_events::number))
        .select(EventRow::as_select())
        .load(connection)
        .await
        .map_err(failure)
}

async fn failing(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    incident: &Incident,
) -> Result<Vec<CheckRow<'static>>, StoreError> {
    let mut query = uptime_checks::table
        .into_boxed()
        .filter(uptime_checks::domain_id.eq(domain.0))
        .filter(uptime_checks::checked_at.ge(incident.started_at));
    if let Some(resolved_at) = incident.resolved_at {
        query = query.filter(uptime_checks::checked_at.le(resolved_at));
    }
    query
        .filter(
            uptime_checks::outcome
                .eq(Outcome::Down.as_str())
                // A check that the address policy refused says nothing of the site.
                .or(uptime_checks::outcome
                    .eq(Outcome::Blocked.as_str())
                    .and(uptime_checks::status_code.eq(FORBIDDEN))),
        )
        .order((uptime_checks::checked_at, uptime_checks::id))
        .limit(i64::try_from(INCIDENT_CHECKS).unwrap_or(i64::MAX))
        .select(CheckRow::<'static>::as_select())
        .load(connection)
        .await
        .map_err(failure)
}
