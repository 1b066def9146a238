//! Errors of views, by kind.

use async_trait::async_trait;
use diesel::{
    OptionalExtension,
    sql_types::{Array, BigInt, Bool, Nullable, SmallInt, Text, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{collect::view::ErrorSource, identity::DomainAccess, store::StoreError};
use pharos_persistence::{failure::read_failure, sql};
use pharos_vitals::{
    chosen::{ChosenViews, Ranked},
    errors::{ErrorDetail, ErrorKind, ErrorList, ErrorQuery, ErrorTotals, Handling, VitalsErrors, frames},
    providers::host_of,
};
use serde::Deserialize;
use uuid::Uuid;

use super::{
    PgVitalsReads,
    chosen::{ROWS_READ, Row, chosen, names, report},
};

#[derive(Debug, Deserialize)]
struct ErrorReport {
    totals: ErrorTotals,
    rows: Vec<ErrorKind>,
}

#[async_trait]
impl VitalsErrors for PgVitalsReads {
    async fn list(&self, domain: &DomainAccess, asked: &ErrorQuery) -> Result<ErrorList, StoreError> {
        let query = chosen!(sql!("list.sql"), domain, &asked.views)
            .bind::<BigInt, _>(ROWS_READ)
            .bind::<Nullable<Bool>, _>(asked.handling.map(|handling| handling == Handling::Handled))
            .bind::<Nullable<SmallInt>, _>(asked.source.map(|source| source as i16))
            .bind::<SmallInt, _>(asked.sort as i16)
            .bind::<Array<Text>, _>(names!(ErrorSource));
        let told: Result<ErrorReport, StoreError> = report!(self, query, "errors");
        let ErrorReport { totals, rows } = told?;
        Ok(ErrorList {
            totals,
            kinds: Ranked::of(rows),
        })
    }

    async fn view(
        &self,
        domain: &DomainAccess,
        id: Uuid,
        views: &ChosenViews,
    ) -> Result<Option<ErrorDetail>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let query = chosen!(sql!("detail.sql"), domain, views)
            .bind::<SqlUuid, _>(id)
            .bind::<Array<Text>, _>(names!(ErrorSource));
        let row: Option<Row<ErrorDetail>> = query
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(read_failure)?;
        let Some(row) = row else {
            return Ok(None);
        };
        let mut found = row.report.read("a kind of errors")?;
        let host = found.kind.top_url.as_deref().map_or("", host_of);
        found.frames = found
            .stack
            .as_deref()
            .map_or_else(Vec::new, |stack| frames(stack, host));
        Ok(Some(found))
    }
}
