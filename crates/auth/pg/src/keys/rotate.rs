//! Giving a key a new secret.

use diesel::{
    ExpressionMethods,
    dsl::sql,
    sql_types::{Nullable, Timestamptz},
};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_auth::keys::manage::{KeyDetails, KeyError, NewSecret};
use pharos_domain::ids::CredentialId;
use pharos_persistence::{
    audit::{self, By},
    failure::Abort,
    pool::Database,
};
use serde_json::json;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use super::row::{KeyRow, NewSecretRow};
use crate::schema::api_key_secrets;

pub(super) async fn rotate(
    database: &Database,
    id: CredentialId,
    secret: &NewSecret,
    others_until: OffsetDateTime,
    by: By<'_>,
) -> Result<KeyDetails, KeyError> {
    let mut connection = database.connection().await?;
    let row = connection
        .transaction::<_, Abort<KeyError>, _>(async |connection| {
            let row = KeyRow::lock_live(connection, id, by.now).await?;
            // LEAST passes over nulls: a secret that ends before then keeps its end.
            let end = sql::<Nullable<Timestamptz>>("LEAST(valid_until, ")
                .bind::<Timestamptz, _>(others_until)
                .sql(")");
            diesel::update(api_key_secrets::table)
                .filter(api_key_secrets::key_id.eq(id.0))
                .set(api_key_secrets::valid_until.eq(end))
                .execute(connection)
                .await?;
            diesel::insert_into(api_key_secrets::table)
                .values(NewSecretRow {
                    digest: &secret.digest.0,
                    key_id: id.0,
                    shown: &secret.shown,
                    created_at: by.now,
                })
                .execute(connection)
                .await?;
            let details = json!({
                "prefix": secret.shown,
                "others_until": others_until.format(&Rfc3339).ok(),
            });
            audit::record(connection, by, "key.rotate", id, details).await?;
            Ok(row)
        })
        .await
        .map_err(Abort::answer)?;
    Ok(row.into_details(secret.shown.clone()))
}
