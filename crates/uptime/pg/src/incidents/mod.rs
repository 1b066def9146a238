//! The incidents of a domain.

mod row;

use std::collections::BTreeMap;

use async_trait::async_trait;
use diesel::{
    BoolExpressionMethods, ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName, SelectableHelper,
    sql_query,
    sql_types::{BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use ipnet::IpNet;
use pharos_domain::{
    identity::DomainAccess,
    ids::{DomainId, IncidentId},
    page::{CursorKey, Page, PageRequest},
    store::StoreError,
};
use pharos_persistence::{
    failure::{failure, read_failure},
    json::Json,
    names,
    pool::Database,
    statement::statement,
};
use pharos_uptime::{
    availability::Stretch,
    check::{Check, Outcome},
    incident::{Incident, IncidentDetail, IncidentStatus, TimelineEntry},
    store::{INCIDENT_CHECKS, INCIDENTS_READ, IncidentFilter, IncidentList, IncidentStore},
};
use time::OffsetDateTime;

use self::row::IncidentRow;
use super::check_row::CheckRow;
use crate::schema::{uptime_checks, uptime_incident_events, uptime_incidents};

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

struct List;
struct Counts;
struct One;
struct ByRegion;

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
        let (at, id) = page.after.map(|key| (key.at, key.id)).unzip();
        let query = sql_query(include_str!("list.sql"))
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Timestamptz, _>(filter.from)
            .bind::<Timestamptz, _>(filter.until)
            .bind::<Nullable<Text>, _>(class)
            .bind::<Nullable<Bool>, _>(is_open)
            .bind::<BigInt, _>(i64::from(INCIDENTS_READ))
            .bind::<Nullable<Timestamptz>, _>(at)
            .bind::<Nullable<SqlUuid>, _>(id)
            .bind::<BigInt, _>(i64::try_from(page.limit).unwrap_or(i64::MAX - 1) + 1);
        let rows: Vec<IncidentRow> = statement::<List, _>(query)
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
        let incidents = rows
            .into_iter()
            .map(Incident::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        let page = Page::cut(incidents, page, |incident| CursorKey {
            at: incident.started_at,
            id: incident.id.0,
        });
        let query = sql_query(include_str!("counts.sql"))
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Timestamptz, _>(filter.from)
            .bind::<Timestamptz, _>(filter.until)
            .bind::<Nullable<Text>, _>(class)
            .bind::<Nullable<Bool>, _>(is_open)
            .bind::<BigInt, _>(i64::from(INCIDENTS_READ));
        let counts: Vec<CountRow> = statement::<Counts, _>(query)
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
        let mut list = IncidentList {
            page,
            class_counts: BTreeMap::new(),
            scanned: 0,
            is_truncated: false,
        };
        for row in counts {
            if let Some(class) = row.class {
                list.class_counts.insert(class.parse()?, names::count(row.found)?);
            } else if row.is_scanned {
                list.scanned = names::count(row.found)?;
                list.is_truncated = row.is_truncated;
            }
        }
        // Of the class that is asked for more may have been read than is among the newest of all.
        if let Some(class) = filter.class.filter(|_| list.scanned > 0) {
            list.class_counts.insert(class, list.scanned);
        }
        Ok(list)
    }

    async fn count_by_region(
        &self,
        domain: &DomainAccess,
        (from, until): Stretch,
    ) -> Result<Vec<(String, u32)>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let query = sql_query(include_str!("by_region.sql"))
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<Timestamptz, _>(from)
            .bind::<Timestamptz, _>(until);
        let rows: Vec<RegionRow> = statement::<ByRegion, _>(query)
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
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
        let query = sql_query(include_str!("one.sql"))
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<SqlUuid, _>(id.0);
        let row: Option<IncidentRow> = statement::<One, _>(query)
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
        Ok(Some(IncidentDetail {
            incident,
            timeline,
            checks,
            response_headers: headers.read("the headers of an incident")?.unwrap_or_default(),
            resolved_ip: ip.map(|ip| ip.addr()),
        }))
    }
}

type EventRow = (OffsetDateTime, String, Option<String>, Option<String>);

async fn timeline(
    connection: &mut AsyncPgConnection,
    incident: IncidentId,
) -> Result<Vec<TimelineEntry>, StoreError> {
    let rows: Vec<EventRow> = uptime_incident_events::table
        .filter(uptime_incident_events::incident_id.eq(incident.0))
        .order((uptime_incident_events::at, uptime_incident_events::number))
        .select((
            uptime_incident_events::at,
            uptime_incident_events::event,
            uptime_incident_events::region,
            uptime_incident_events::detail,
        ))
        .load(connection)
        .await
        .map_err(failure)?;
    rows.into_iter()
        .map(|(at, event, region, detail)| {
            Ok(TimelineEntry {
                at,
                event: event.parse()?,
                region,
                detail,
            })
        })
        .collect()
}

async fn failing(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    incident: &Incident,
) -> Result<Vec<Check>, StoreError> {
    let mut query = uptime_checks::table
        .into_boxed()
        .filter(uptime_checks::domain_id.eq(domain.0))
        .filter(uptime_checks::checked_at.ge(incident.started_at));
    if let Some(resolved_at) = incident.resolved_at {
        query = query.filter(uptime_checks::checked_at.le(resolved_at));
    }
    let rows: Vec<CheckRow> = query
        .filter(
            uptime_checks::outcome
                .eq(Outcome::Down.as_str())
                .or(uptime_checks::outcome.eq(Outcome::Blocked.as_str())),
        )
        .order((uptime_checks::checked_at, uptime_checks::id))
        .limit(i64::try_from(INCIDENT_CHECKS).unwrap_or(i64::MAX))
        .select(CheckRow::as_select())
        .load(connection)
        .await
        .map_err(failure)?;
    rows.into_iter().map(Check::try_from).collect()
}
