//! URLs that are saved with what is expected of them.

use diesel::{
    ExpressionMethods, NullableExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper,
    prelude::{Insertable, Queryable, Selectable},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_crawl::robots::{
    monitor::{
        evaluate::{InForce, failing},
        site::{Expectation, GoodFetch, TestUrl},
    },
    outcome::RobotsState,
};
use pharos_domain::{
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::DomainId,
    store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure},
    hold,
    json::Json,
    metering::charged::charged,
    pool::Database,
};
use uuid::Uuid;

use super::row::known as known_name;
use crate::schema::{robots_sites, robots_test_urls, robots_versions};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = robots_test_urls)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct TestUrlRow {
    id: Uuid,
    url: String,
    user_agent: String,
    expectation: String,
}

pub(super) async fn list(
    mut connection: &AsyncPgConnection,
    domain: DomainId,
) -> Result<Vec<TestUrl>, StoreError> {
    let rows: Vec<TestUrlRow> = robots_test_urls::table
        .filter(robots_test_urls::domain_id.eq(domain.0))
        .order(robots_test_urls::position.asc())
        .select(TestUrlRow::as_select())
        .load(&mut connection)
        .await
        .map_err(failure)?;
    let read = |row: TestUrlRow| {
        Ok(TestUrl {
            id: row.id,
            url: row.url,
            user_agent: row.user_agent,
            expectation: known_name(
                Expectation::named(&row.expectation),
                "expectation",
                &row.expectation,
            )?,
        })
    };
    rows.into_iter().map(read).collect()
}

pub(super) async fn replace(
    database: &Database,
    domain: &Charged<DomainAccess>,
    items: &[TestUrl],
) -> Result<(), SettleError> {
    charged(database, domain.slip(), None, async |connection| {
        put(connection, domain.id(), items).await
    })
    .await
}

async fn put(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    items: &[TestUrl],
) -> Result<(), Abort<SettleError>> {
    // Until the transaction ends nobody else replaces them.
    hold::domain(connection, domain).await?;
    diesel::delete(robots_test_urls::table)
        .filter(robots_test_urls::domain_id.eq(domain.0))
        .execute(connection)
        .await?;
    let rows: Vec<_> = (0..)
        .zip(items)
        .map(|(position, item)| {
            let row = TestUrlRow {
                id: item.id,
                url: item.url.clone(),
                user_agent: item.user_agent.clone(),
                expectation: item.expectation.name().to_owned(),
            };
            (
                row,
                robots_test_urls::domain_id.eq(domain.0),
                robots_test_urls::position.eq::<i32>(position),
            )
        })
        .collect();
    diesel::insert_into(robots_test_urls::table)
        .values(rows)
        .execute(connection)
        .await?;
    count(connection, domain, items).await
}

/// Notes how many of them fail by the file that is known.
async fn count(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    items: &[TestUrl],
) -> Result<(), Abort<SettleError>> {
    type Known = (Option<String>, Option<Uuid>, Option<Json<GoodFetch>>);
    let known: Option<Known> = robots_sites::table
        .find(domain.0)
        .for_update()
        .select((
            robots_sites::state,
            robots_sites::version_id,
            robots_sites::good_fetch,
        ))
        .first(connection)
        .await
        .optional()?;
    let Some((Some(state), version, fetch)) = known else {
        return Ok(());
    };
    let content: Option<Option<Vec<u8>>> = robots_versions::table
        .filter(robots_versions::id.nullable().eq(version))
        .select(robots_versions::content)
        .first(connection)
        .await
        .optional()?;
    let state =
        known_name(RobotsState::named(&state), "state of a robots.txt", &state).map_err(Abort::port)?;
    let fetch = fetch.map(|fetch| fetch.read("the fetch of a robots.txt"));
    let fetch = fetch.transpose().map_err(Abort::port)?;
    let good = fetch.zip(content.as_ref());
    let good = good
        .as_ref()
        .map(|(fetch, content)| (fetch.state, content.as_deref()));
    let failing = failing(&InForce::new(state, good), items);
    diesel::update(robots_sites::table.find(domain.0))
        .set(robots_sites::failing_test_urls.eq(i32::try_from(failing).unwrap_or(i32::MAX)))
        .execute(connection)
        .await?;
    Ok(())
}
