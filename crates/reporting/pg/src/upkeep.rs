//! The ports, and what becomes of reports with a domain.

use std::sync::Arc;

use diesel::{
    ExpressionMethods, QueryDsl,
    sql_types::{Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::FutureExt;
use pharos_domain::{ids::DomainId, module::Module, ports::Ports, quota::QuotaResource, store::StoreError};
use pharos_persistence::{
    failure::Abort,
    group::{DomainHooks, PgGroup},
    pool::Database,
    quota, sql,
};
use pharos_reporting::store::{ReportRunStore, ReportSchedules, ReportWork, TemplateAdmin, TemplateStore};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    runs::PgReportRunStore, schedules::PgReportSchedules, schema::report_templates,
    templates::PgTemplateStore,
};

/// Reports, as the kit and the other groups know them. Claims look at domains, so that nothing is due for one that is deleted.
pub const GROUP: PgGroup = PgGroup {
    ports,
    domain: Some(DomainHooks {
        deleted: |connection, domain, now| expire(connection, domain, now).boxed(),
        restored: |_, _, _| async { Ok(()) }.boxed(),
        active: |_, _| async { diesel::QueryResult::<Vec<(Uuid, Module)>>::Ok(Vec::new()) }.boxed(),
    }),
    domain_erasing: Some(|connection, domain, now| give_back(connection, domain, now).boxed()),
    ..PgGroup::of(pharos_persistence::schema!("reporting"))
};

fn ports(ports: Ports, database: &Database) -> Ports {
    ports
        .with::<dyn TemplateAdmin>(Arc::new(PgTemplateStore::new(database.clone())))
        .with::<dyn TemplateStore>(Arc::new(PgTemplateStore::new(database.clone())))
        .with::<dyn ReportRunStore>(Arc::new(PgReportRunStore::new(database.clone())))
        .with::<dyn ReportWork>(Arc::new(PgReportRunStore::new(database.clone())))
        .with::<dyn ReportSchedules>(Arc::new(PgReportSchedules::new(database.clone())))
}

/// The domain is deleted: its results are kept no longer, and upkeep takes them out.
async fn expire(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    sql!(text "UPDATE runs SET expires_at = $2
        WHERE domain_id = $1 AND kind = 'report' AND status IN ('succeeded', 'partial') AND expires_at > $2")
    .bind::<SqlUuid, _>(domain.0)
    .bind::<Timestamptz, _>(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// Its templates are no longer the workspace's.
async fn give_back(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let templates = report_templates::table
        .filter(report_templates::domain_id.eq(domain.0))
        .count()
        .get_result(connection)
        .await?;
    quota::give_back_of_domain(connection, domain, QuotaResource::ReportTemplates, templates, now).await?;
    Ok(())
}
