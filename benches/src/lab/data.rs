//! Pages with a year of tests, each with a result as a real Lighthouse wrote it, under figures of its own.

use anyhow::{Context, Result, bail};
use diesel::{
    QueryableByName, sql_query,
    sql_types::{Double, Integer, Jsonb, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_domain::ids::{DomainId, RunId};
use pharos_synthetic::{
    kept,
    lhr::{self, Load},
    page::PageSettings,
    result::{Filmstrip, Frame, Lists, Picture, Resource},
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::interrupt;

/// For how many days each page is tested.
pub(super) const DAYS: i32 = 365;
/// How many requests a page makes.
const REQUESTS: usize = 200;
/// How many frames its filmstrip has.
const FRAMES: u64 = 8;
/// A result of a real Lighthouse: see the README beside it.
const RESULT: &str = include_str!("../../../crates/synthetic/core/tests/fixtures/shop.json");

/// A page and a test that are asked for by their ids, and how many tests there are.
pub(super) struct Made {
    pub(super) url: Uuid,
    pub(super) run: Uuid,
    pub(super) tests: usize,
}

#[derive(QueryableByName)]
struct NewestRow {
    #[diesel(sql_type = SqlUuid)]
    url_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

/// Makes so many pages with budgets and with tests, the last of which end a day before `now`.
pub(super) async fn make(url: &str, domain: DomainId, pages: u32, now: OffsetDateTime) -> Result<Made> {
    let mut connection = AsyncPgConnection::establish(url).await?;
    let Load { summary, lists, .. } = lhr::read(RESULT.as_bytes()).context("the result can't be read")?;
    let settings = PageSettings {
        profile_ids: vec!["mobile".to_owned(), "desktop".to_owned()],
        ..PageSettings::of(String::new())
    };
    sql_query(include_str!("pages.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Jsonb, _>(serde_json::to_value(settings)?)
        .bind::<Integer, _>(i32::try_from(pages)?)
        .execute(&mut connection)
        .await
        .context("the pages can't be stored")?;
    sql_query(include_str!("budgets.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .execute(&mut connection)
        .await
        .context("the budgets can't be stored")?;
    sql_query("SELECT setseed($1)")
        .bind::<Double, _>(0.25)
        .execute(&mut connection)
        .await?;
    let tests = sql_query(include_str!("runs.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(now)
        .bind::<Jsonb, _>(serde_json::to_value(summary)?)
        .bind::<Integer, _>(DAYS)
        .execute(&mut connection)
        .await
        .context("the tests can't be stored")?;
    if interrupt::came() {
        bail!("interrupted");
    }
    let NewestRow { url_id, id } = sql_query(include_str!("newest.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .get_result(&mut connection)
        .await
        .context("no test succeeded")?;
    let lists = Lists {
        resources: requests(&lists.resources),
        filmstrip: filmstrip(domain, RunId(id))?,
        ..lists
    };
    eprintln!("  {tests} tests; their lists are next");
    store(&mut connection, id, &lists).await?;
    connection.batch_execute("VACUUM ANALYZE").await?;
    Ok(Made {
        url: url_id,
        run: id,
        tests,
    })
}

/// Stores the lists as those of one test, and then of all others that succeeded: whoever reads the lists of a test reads them alone.
async fn store(connection: &mut AsyncPgConnection, run: Uuid, lists: &Lists) -> Result<()> {
    sql_query(
        "INSERT INTO synthetic_results (run_id, audits, opportunities, resources, third_parties, filmstrip)
        VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind::<SqlUuid, _>(run)
    .bind::<Jsonb, _>(serde_json::to_value(&lists.audits)?)
    .bind::<Jsonb, _>(serde_json::to_value(&lists.opportunities)?)
    .bind::<Jsonb, _>(serde_json::to_value(&lists.resources)?)
    .bind::<Jsonb, _>(serde_json::to_value(&lists.third_parties)?)
    .bind::<Jsonb, _>(serde_json::to_value(&lists.filmstrip)?)
    .execute(&mut *connection)
    .await
    .context("the lists can't be stored")?;
    sql_query(
        "INSERT INTO synthetic_results (run_id, audits, opportunities, resources, third_parties, filmstrip)
        SELECT r.id, t.audits, t.opportunities, t.resources, t.third_parties, t.filmstrip
        FROM synthetic_results AS t
        JOIN synthetic_runs AS r ON r.id <> t.run_id
        WHERE t.run_id = $1 AND r.status = 'succeeded'",
    )
    .bind::<SqlUuid, _>(run)
    .execute(connection)
    .await
    .context("the lists of the other tests can't be stored")?;
    Ok(())
}

/// As many requests as a page of a shop makes: those of the result, again and again.
fn requests(of_result: &[Resource]) -> Vec<Resource> {
    let again = of_result.iter().cycle().take(REQUESTS).enumerate();
    again
        .map(|(at, resource)| Resource {
            url: format!("https://site-0.example/files/{at}"),
            ..resource.clone()
        })
        .collect()
}

/// Pictures that nobody fetches.
fn filmstrip(domain: DomainId, run: RunId) -> Result<Filmstrip> {
    let picture = |name: &str| -> Result<Picture> {
        let key = kept::key(domain, run, name).context("a picture has no key")?;
        Ok(Picture {
            key: key.to_string(),
            width: 412,
            height: 823,
        })
    };
    let frames = (0..FRAMES)
        .map(|at| {
            Ok(Frame {
                timing_ms: 375 * (at + 1),
                picture: picture(&format!("frame-{at}.jpg"))?,
            })
        })
        .collect::<Result<Vec<_>>>()?;
    Ok(Filmstrip {
        frames,
        final_screenshot: Some(picture(kept::LAST)?),
        full_page_screenshot: None,
        report: None,
    })
}
