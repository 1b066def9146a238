//! Changes of the pages of sitemaps.

use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_crawl::sitemap::monitor::pages::{ChangeFilter, ChangeKind, PageChange};
use pharos_domain::{
    ids::DomainId,
    page::{Page, PageRequest, Position},
    store::StoreError,
};
use pharos_persistence::{failure::read_failure, pool::Database, sql};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::robots::row::known;

#[derive(QueryableByName)]
struct ChangeRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Timestamptz)]
    changed_at: OffsetDateTime,
    #[diesel(sql_type = Text)]
    change: String,
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = SqlUuid)]
    file_id: Uuid,
    #[diesel(sql_type = Nullable<Text>)]
    before: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    after: Option<String>,
}

impl TryFrom<ChangeRow> for PageChange {
    type Error = StoreError;

    fn try_from(row: ChangeRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id,
            changed_at: row.changed_at,
            change: known(ChangeKind::named(&row.change), "change of a page", &row.change)?,
            url: row.url,
            file_id: row.file_id,
            before: row.before,
            after: row.after,
        })
    }
}

pub(super) async fn changes(
    database: &Database,
    domain: DomainId,
    filter: &ChangeFilter,
    page: &PageRequest,
) -> Result<Page<PageChange>, StoreError> {
    let Position { key: at, id } = page.after.unwrap_or(Position::START);
    let kinds = filter
        .change
        .as_ref()
        .map_or(ChangeKind::ALL, std::slice::from_ref);
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    let mut connection = database.long_read().await?;
    let loaded = match filter.file {
        None => {
            sql!("changes.sql")
                .bind::<SqlUuid, _>(domain.0)
                .bind::<Timestamptz, _>(at)
                .bind::<SqlUuid, _>(id)
                .bind::<BigInt, _>(page.rows())
                .bind::<Array<Text>, _>(kinds)
                .load(&mut connection)
                .await
        }
        Some(file) => {
            sql!("changes_of_file.sql")
                .bind::<SqlUuid, _>(domain.0)
                .bind::<Timestamptz, _>(at)
                .bind::<SqlUuid, _>(id)
                .bind::<BigInt, _>(page.rows())
                .bind::<Array<Text>, _>(kinds)
                .bind::<SqlUuid, _>(file)
                .load(&mut connection)
                .await
        }
    };
    let rows: Vec<ChangeRow> = loaded.map_err(read_failure)?;
    let changes = rows
        .into_iter()
        .map(PageChange::try_from)
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Page::cut(changes, page, |change| Position {
        key: change.changed_at,
        id: change.id,
    }))
}
