//! The ports, and what becomes of reports with a domain.

use std::sync::Arc;

use diesel::{
    ExpressionMethods, QueryDsl,
    sql_types::{Double, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::FutureExt;
use pharos_domain::{ids::DomainId, module::Module, ports::Ports, quota::QuotaResource, store::StoreError};
use pharos_persistence::{
    failure::{Abort, failure},
    group::{DomainHooks, DueKind, PgGroup, UpkeepStep},
    pool::Database,
    quota, sql,
};
use pharos_reporting::{
    mails::store::{ReportMails, ReportSending},
    recipients::{
        bounds::REFUSED_FOR,
        store::{RecipientAdmin, RecipientLinks},
    },
    store::{ReportRunStore, ReportSchedules, ReportWork, TemplateAdmin, TemplateStore},
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    mails::PgReportMails,
    recipients::PgRecipientStore,
    runs::PgReportRunStore,
    schedules::{self, PgReportSchedules},
    schema::report_templates,
    templates::PgTemplateStore,
};

/// Reports, as the kit and the other groups know them. Claims look at domains, so that nothing is due for one that is deleted.
pub const GROUP: PgGroup = PgGroup {
    ports,
    due: &[DueKind {
        name: "report schedules",
        backlog: |database| schedules::backlog(database).boxed(),
    }],
    upkeep: &[
        UpkeepStep {
            name: "questions to recipients of reports",
            run: |database, _| forget_questions(database).boxed(),
        },
        UpkeepStep {
            name: "mails of reports without a job",
            run: |database, _| end_deliveries(database).boxed(),
        },
    ],
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
        .with::<dyn RecipientAdmin>(Arc::new(PgRecipientStore::new(database.clone())))
        .with::<dyn RecipientLinks>(Arc::new(PgRecipientStore::new(database.clone())))
        .with::<dyn ReportMails>(Arc::new(PgReportMails::new(database.clone())))
        .with::<dyn ReportSending>(Arc::new(PgReportMails::new(database.clone())))
}

/// Addresses that never said yes are forgotten, and how often they were asked once that counts no more.
async fn forget_questions(database: &Database) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "DELETE FROM report_questions WHERE at <= now() - make_interval(secs => $1)")
        .bind::<Double, _>(REFUSED_FOR.as_seconds_f64());
    query.execute(&mut connection).await.map_err(failure)?;
    // The templates before their recipients, as all others lock them. One that somebody holds is left for the next time.
    let query = sql!(text "WITH lapsed AS MATERIALIZED (
            SELECT r.id
            FROM report_recipients AS r
            JOIN report_templates AS t ON t.id = r.template_id
            WHERE r.confirmed_at IS NULL AND r.asked_until <= now() - interval '30 days'
            FOR NO KEY UPDATE OF t SKIP LOCKED
        )
        DELETE FROM report_recipients AS r
        USING lapsed AS l
        WHERE r.id = l.id AND r.confirmed_at IS NULL AND r.asked_until <= now() - interval '30 days'");
    query.execute(&mut connection).await.map(|_| ()).map_err(failure)
}

/// A mail whose job is dead is not sent by itself any more, whoever buried the job.
async fn end_deliveries(database: &Database) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "UPDATE report_deliveries AS v SET state = 'failed', ended_at = now(),
            last_error = coalesce(v.last_error, (SELECT j.last_error FROM jobs AS j WHERE j.id = v.id), 'its job is gone')
        WHERE v.state = 'queued'
            AND NOT EXISTS (SELECT FROM jobs AS j WHERE j.id = v.id AND j.state IN ('queued', 'running'))");
    query.execute(&mut connection).await.map(|_| ()).map_err(failure)
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
