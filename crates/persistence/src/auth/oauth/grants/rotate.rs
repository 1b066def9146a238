//! A refresh token makes room for the next.

use diesel::{
    OptionalExtension, QueryableByName, sql_query,
    sql_types::{Array, Binary, Bool, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_auth::oauth::store::{IssueError, Issued, Rotation};
use pharos_domain::{
    audit::Actor,
    ids::{CredentialId, UserId},
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::revoke::{self, Whose};
use crate::{audit::By, failure::failure, names, pool::Database, statement::statement};

struct Rotate;

#[derive(QueryableByName)]
struct RotationRow {
    #[diesel(sql_type = SqlUuid)]
    grant_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    user_id: Uuid,
    #[diesel(sql_type = Array<Text>)]
    scopes: Vec<String>,
    #[diesel(sql_type = Bool)]
    is_of_client: bool,
    #[diesel(sql_type = Bool)]
    is_of_resource: bool,
    #[diesel(sql_type = Bool)]
    is_expired: bool,
    #[diesel(sql_type = Bool)]
    is_revoked: bool,
    #[diesel(sql_type = Bool)]
    is_issued: bool,
}

pub(super) async fn rotate(
    database: &Database,
    rotation: &Rotation<'_>,
    now: OffsetDateTime,
) -> Result<Issued, IssueError> {
    let query = sql_query(include_str!("rotate.sql"))
        .bind::<Binary, _>(rotation.token.0.as_slice())
        .bind::<SqlUuid, _>(rotation.client.0)
        .bind::<Text, _>(rotation.resource)
        .bind::<Binary, _>(rotation.next.0.as_slice())
        .bind::<Timestamptz, _>(rotation.next_until)
        .bind::<Timestamptz, _>(now);
    let mut connection = database.connection().await?;
    let row: Option<RotationRow> = statement::<Rotate, _>(query)
        .get_result(&mut connection)
        .await
        .optional()
        .map_err(failure)?;
    drop(connection);
    let row = row.filter(|row| row.is_of_client).ok_or(IssueError::Unknown)?;
    if row.is_issued {
        return Ok(Issued {
            grant: CredentialId(row.grant_id),
            user: UserId(row.user_id),
            scopes: names::all(&row.scopes)?,
        });
    }
    if row.is_revoked {
        return Err(IssueError::Revoked);
    }
    if row.is_expired {
        return Err(IssueError::Expired);
    }
    if !row.is_of_resource {
        return Err(IssueError::OtherResource);
    }
    // It was superseded, before or at this very moment.
    let actor = Actor::client(rotation.client);
    let by = By { actor: &actor, now };
    revoke::revoke(
        database,
        CredentialId(row.grant_id),
        Whose::Client(rotation.client),
        by,
    )
    .await?;
    Err(IssueError::Used)
}
