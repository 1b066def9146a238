//! A transaction for each request: the balance, and the row of the log.

use std::{collections::HashMap, sync::Arc};

use actix_web::{
    HttpResponse,
    error::ErrorInternalServerError,
    http::header::ContentType,
    web::{self, ServiceConfig},
};
use diesel::{ExpressionMethods, QueryDsl};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_http::operation::Example;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{path_of, reads::PgPool};
use crate::serve::{
    operations::CHARGED,
    payloads::Brief,
    tables::{credit_balances, credit_log, domains},
};

/// The pool, and who pays for which domain: looking that up is no part of what is measured.
#[derive(Clone)]
pub(in crate::serve) struct Charges {
    pool: PgPool,
    payers: Arc<HashMap<Uuid, Uuid>>,
}

impl Charges {
    pub(in crate::serve) async fn connect(pool: PgPool) -> anyhow::Result<Self> {
        let mut connection = pool.get().await?;
        let payers: Vec<(Uuid, Uuid)> = domains::table
            .select((domains::id, domains::workspace_id))
            .load(&mut connection)
            .await?;
        drop(connection);
        Ok(Self {
            pool,
            payers: Arc::new(payers.into_iter().collect()),
        })
    }

    /// Mounts it.
    pub(in crate::serve) fn configure(&self, config: &mut ServiceConfig) {
        config
            .app_data(web::Data::new(self.clone()))
            .route(&path_of(&CHARGED), web::get().to(answer));
    }

    async fn charge(&self, domain: Uuid) -> anyhow::Result<()> {
        let payer = self.payers.get(&domain).copied().unwrap_or_default();
        let mut connection = self.pool.get().await?;
        connection
            .transaction::<_, diesel::result::Error, _>(async |connection| {
                diesel::update(credit_balances::table.find(payer))
                    .set(credit_balances::used.eq(credit_balances::used + 1))
                    .execute(connection)
                    .await?;
                diesel::insert_into(credit_log::table)
                    .values((
                        credit_log::workspace_id.eq(payer),
                        credit_log::occurred_at.eq(OffsetDateTime::now_utc()),
                        credit_log::request_id.eq(Uuid::now_v7()),
                        credit_log::credential_id.eq(payer),
                        credit_log::domain_id.eq(domain),
                        credit_log::operation.eq(CHARGED.id),
                        credit_log::status.eq(200_i16),
                        credit_log::cost.eq(1),
                        credit_log::cache.eq("miss"),
                    ))
                    .execute(connection)
                    .await
            })
            .await?;
        Ok(())
    }
}

async fn answer(domain: web::Path<Uuid>, charges: web::Data<Charges>) -> actix_web::Result<HttpResponse> {
    charges
        .charge(domain.into_inner())
        .await
        .map_err(ErrorInternalServerError)?;
    Ok(HttpResponse::Ok()
        .insert_header(ContentType::json())
        .body(super::ready::bytes(&Brief::example())))
}
