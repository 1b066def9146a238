//! Reads of the resources that views loaded, and of the long tasks that kept them busy.

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Integer, SmallInt, Text},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    collect::view::{FrameKind, InvokerType, ResourceType},
    identity::DomainAccess,
    store::StoreError,
};
use pharos_persistence::{failure::read_failure, sql};
use pharos_vitals::{
    chosen::{ChosenViews, Ranked},
    loads::{
        VitalsLoads,
        long_tasks::{LongTaskFigures, LongTaskGrouping, LongTaskTotals, LongTasks},
        requests::RequestFigures,
        resources::{ResourceFigures, ResourceGrouping},
        third_parties::{ThirdParty, party_of},
    },
};
use serde::Deserialize;

use super::{
    PgVitalsReads,
    chosen::{ROWS_READ, chosen, names, ranked, report},
};

/// How many hosts of third parties are looked at.
const MOST_HOSTS: i64 = 5_000;

#[derive(Debug, Deserialize)]
struct LongTaskReport {
    totals: LongTaskTotals,
    rows: Vec<LongTaskFigures>,
}

#[derive(QueryableByName)]
struct HostRow {
    #[diesel(sql_type = Integer)]
    number: i32,
    #[diesel(sql_type = Text)]
    host: String,
}

#[async_trait]
impl VitalsLoads for PgVitalsReads {
    async fn resources(
        &self,
        domain: &DomainAccess,
        views: &ChosenViews,
        by: ResourceGrouping,
    ) -> Result<Ranked<ResourceFigures>, StoreError> {
        let query = chosen!(sql!("resources.sql"), domain, views)
            .bind::<BigInt, _>(ROWS_READ)
            .bind::<SmallInt, _>(by as i16)
            .bind::<Array<Text>, _>(names!(ResourceType));
        ranked!(self, query, "resources")
    }

    async fn requests(
        &self,
        domain: &DomainAccess,
        views: &ChosenViews,
    ) -> Result<Ranked<RequestFigures>, StoreError> {
        let query = chosen!(sql!("requests.sql"), domain, views).bind::<BigInt, _>(ROWS_READ);
        ranked!(self, query, "requests")
    }

    async fn third_parties(
        &self,
        domain: &DomainAccess,
        views: &ChosenViews,
    ) -> Result<Ranked<ThirdParty>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let query = chosen!(sql!("hosts.sql"), domain, views).bind::<BigInt, _>(MOST_HOSTS);
        let hosts: Vec<HostRow> = query.load(&mut connection).await.map_err(read_failure)?;
        // A read has one connection at a time.
        drop(connection);
        let parties = || hosts.iter().map(|row| party_of(&row.host));
        let query = chosen!(sql!("third_parties.sql"), domain, views)
            .bind::<BigInt, _>(ROWS_READ)
            .bind::<Array<Integer>, _>(hosts.iter().map(|row| row.number).collect::<Vec<_>>())
            .bind::<Array<Text>, _>(hosts.iter().map(|row| row.host.as_str()).collect::<Vec<_>>())
            .bind::<Array<Text>, _>(parties().map(|(name, _)| name).collect::<Vec<_>>())
            .bind::<Array<Text>, _>(
                parties()
                    .map(|(_, category)| category.as_str())
                    .collect::<Vec<_>>(),
            );
        ranked!(self, query, "third parties")
    }

    async fn long_tasks(
        &self,
        domain: &DomainAccess,
        views: &ChosenViews,
        by: LongTaskGrouping,
    ) -> Result<LongTasks, StoreError> {
        let query = chosen!(sql!("long_tasks.sql"), domain, views)
            .bind::<BigInt, _>(ROWS_READ)
            .bind::<SmallInt, _>(by as i16)
            .bind::<Array<Text>, _>(names!(FrameKind))
            .bind::<Array<Text>, _>(names!(InvokerType));
        let told: Result<LongTaskReport, StoreError> = report!(self, query, "long tasks");
        let LongTaskReport { totals, rows } = told?;
        Ok(LongTasks {
            totals,
            rows: Ranked::of(rows),
        })
    }
}
