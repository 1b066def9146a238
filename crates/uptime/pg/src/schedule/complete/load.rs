//! Reads the knowledge of the sites of a batch.

use std::collections::{BTreeSet, HashMap};

use diesel::{
    ExpressionMethods, QueryDsl, QueryableByName,
    sql_types::{Array, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    ids::{DomainId, IncidentId},
    store::StoreError,
};
use pharos_persistence::{
    failure::Abort,
    json::Json,
    set_aside::{Kind, SetAside},
    sql,
};
use pharos_uptime::{
    complete::{Before, Changed, OpenIncident},
    finished::FinishedCheck,
    incident::Severity,
    monitor::settings::MonitorSettings,
    state::{RegionState, SKEW, StateSpan},
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::ahead;
use crate::{
    schema::{uptime_incidents, uptime_region_states},
    span_row::SpanRow,
    stored::{read_settings, read_state},
};

/// The knowledge of the sites of a batch, since when their monitors are as they are, and notes of rows that can't be read.
pub(super) struct Loaded {
    pub(super) before: Before,
    pub(super) changed: HashMap<DomainId, Changed>,
    pub(super) unread: Vec<SetAside>,
}

impl Loaded {
    fn at(present: OffsetDateTime) -> Self {
        Self {
            before: Before::at(present),
            changed: HashMap::new(),
            unread: Vec::new(),
        }
    }
}

#[derive(QueryableByName)]
struct MonitorRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Jsonb)]
    settings: Json<MonitorSettings>,
    #[diesel(sql_type = Timestamptz)]
    updated_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    deleted_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Timestamptz)]
    present: OffsetDateTime,
}

#[derive(QueryableByName)]
struct LastSpanRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(embed)]
    span: SpanRow,
}

/// Locks the monitors of the batch in one order, so that batches and changes of settings take turns, and reads what
/// is known of their sites: from all regions, since an outage is what most of them see. Says, too, since when each
/// monitor is as it is.
pub(super) async fn load(
    connection: &mut AsyncPgConnection,
    finished: &[FinishedCheck],
    node: OffsetDateTime,
) -> Result<Loaded, Abort<StoreError>> {
    let domains: BTreeSet<Uuid> = finished.iter().map(|done| done.check.domain_id.0).collect();
    let domains: Vec<Uuid> = domains.into_iter().collect();
    let query = sql!("monitors.sql").bind::<Array<SqlUuid>, _>(&domains);
    let monitors: Vec<MonitorRow> = query.load(connection).await?;
    // Without any monitor nothing is judged.
    let mut loaded = Loaded::at(monitors.last().map_or(node, |monitor| monitor.present));
    for monitor in monitors {
        let MonitorRow {
            domain_id,
            settings,
            updated_at,
            deleted_at,
            present: _,
        } = monitor;
        let domain = DomainId(domain_id);
        loaded.changed.insert(
            domain,
            Changed {
                updated_at,
                deleted_at,
            },
        );
        match read_settings(settings) {
            Ok(settings) => {
                loaded.before.settings.insert(domain, settings);
            }
            Err(error) => loaded
                .unread
                .push(SetAside::unread(Kind::Monitor, &domain, &error)),
        }
    }
    load_states(connection, &domains, &mut loaded).await?;
    load_open_incidents(connection, &domains, &mut loaded.before).await?;
    let keys: BTreeSet<(Uuid, &str)> = finished
        .iter()
        .map(|done| (done.check.domain_id.0, done.check.region.as_str()))
        .collect();
    load_last_spans(connection, keys, &mut loaded.before).await?;
    Ok(loaded)
}

/// Reads the knowledge of one domain, whose monitor is locked already.
pub(super) async fn load_domain(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    settings: Option<&MonitorSettings>,
    present: OffsetDateTime,
) -> Result<Loaded, Abort<StoreError>> {
    let mut loaded = Loaded::at(present);
    load_states(connection, &[domain.0], &mut loaded).await?;
    load_open_incidents(connection, &[domain.0], &mut loaded.before).await?;
    let regions: Vec<String> = loaded
        .before
        .states
        .keys()
        .map(|(_, region)| region.clone())
        .collect();
    let keys = regions.iter().map(|region| (domain.0, region.as_str())).collect();
    load_last_spans(connection, keys, &mut loaded.before).await?;
    if let Some(settings) = settings {
        loaded.before.settings.insert(domain, settings.clone());
    }
    Ok(loaded)
}

async fn load_states(
    connection: &mut AsyncPgConnection,
    domains: &[Uuid],
    Loaded { before, unread, .. }: &mut Loaded,
) -> Result<(), Abort<StoreError>> {
    let states: Vec<(Uuid, String, Json<RegionState>)> = uptime_region_states::table
        .filter(uptime_region_states::domain_id.eq_any(domains))
        .select((
            uptime_region_states::domain_id,
            uptime_region_states::region,
            uptime_region_states::state,
        ))
        .load(connection)
        .await?;
    for (domain, region, state) in states {
        let domain = DomainId(domain);
        match read_state(state) {
            Ok(state) if state.is_ahead_of(before.present) => {}
            Ok(state) => {
                before.states.insert((domain, region), state);
            }
            Err(error) => {
                let subject = format!("{domain} {region}");
                unread.push(SetAside::unread(Kind::RegionState, &subject, &error));
                before.unread_states.insert((domain, region));
            }
        }
    }
    Ok(())
}

async fn load_open_incidents(
    connection: &mut AsyncPgConnection,
    domains: &[Uuid],
    before: &mut Before,
) -> Result<(), Abort<StoreError>> {
    let open: Vec<(Uuid, Uuid, String, OffsetDateTime)> = uptime_incidents::table
        .filter(uptime_incidents::domain_id.eq_any(domains))
        .filter(uptime_incidents::resolved_at.is_null())
        .select((
            uptime_incidents::domain_id,
            uptime_incidents::id,
            uptime_incidents::severity,
            uptime_incidents::confirmed_at,
        ))
        .load(connection)
        .await?;
    for (domain, id, severity, confirmed_at) in open {
        let open = OpenIncident {
            id: IncidentId(id),
            // A severity that this version does not know is not this one.
            is_blocked: severity == Severity::Degraded.as_str(),
            confirmed_at,
        };
        before.open_incidents.insert(DomainId(domain), open);
    }
    ahead::bring_back(connection, before).await?;
    Ok(())
}

async fn load_last_spans(
    connection: &mut AsyncPgConnection,
    keys: BTreeSet<(Uuid, &str)>,
    before: &mut Before,
) -> Result<(), Abort<StoreError>> {
    let (domains, regions): (Vec<Uuid>, Vec<&str>) = keys.into_iter().unzip();
    let query = sql!("last_spans.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<Text>, _>(regions)
        .bind::<Timestamptz, _>(before.present + SKEW);
    let rows: Vec<LastSpanRow> = query.load(connection).await?;
    for LastSpanRow { domain_id, span } in rows {
        // One in a state that this version does not know is not lengthened: the next begins where it ends.
        if let Ok(span) = StateSpan::try_from(span) {
            let key = (DomainId(domain_id), span.region.clone());
            before.last_spans.insert(key, span);
        }
    }
    Ok(())
}
