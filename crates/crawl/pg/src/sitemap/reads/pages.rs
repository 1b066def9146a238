//! Pages of sitemaps.

use diesel::{
    QueryableByName,
    sql_types::{BigInt, Bool, Double, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_crawl::sitemap::{
    entry::{Alternate, ChangeFrequency},
    monitor::pages::{Answered, PageFilter, Presence, SitemapPage},
};
use pharos_domain::{
    identity::DomainAccess,
    page::{Page, PageRequest, Position},
    store::StoreError,
};
use pharos_persistence::{failure::read_failure, json::Json, names, pool::Database, sql};
use time::OffsetDateTime;
use uuid::Uuid;

/// How many bytes of texts an answer has at most: a thousand pages in ten languages have less.
const MOST_BYTES: usize = 4 << 20;

#[derive(QueryableByName)]
struct PageRow {
    #[diesel(sql_type = SqlUuid)]
    url_key: Uuid,
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = SqlUuid)]
    file_id: Uuid,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    lastmod: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Text>)]
    change_frequency: Option<String>,
    #[diesel(sql_type = Nullable<Double>)]
    priority: Option<f64>,
    #[diesel(sql_type = Integer)]
    images: i32,
    #[diesel(sql_type = Integer)]
    videos: i32,
    #[diesel(sql_type = Bool)]
    is_news: bool,
    #[diesel(sql_type = Nullable<Jsonb>)]
    alternates: Option<Json<Vec<Alternate>>>,
    #[diesel(sql_type = Timestamptz)]
    first_seen_at: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    last_seen_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    removed_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Bool>)]
    is_blocked: Option<bool>,
    #[diesel(sql_type = BigInt)]
    in_files: i64,
    #[diesel(sql_type = Nullable<Integer>)]
    status_code: Option<i32>,
    #[diesel(sql_type = Nullable<Text>)]
    redirects_to: Option<String>,
    #[diesel(sql_type = Nullable<Bool>)]
    is_canonical: Option<bool>,
}

impl TryFrom<PageRow> for SitemapPage {
    type Error = StoreError;

    fn try_from(row: PageRow) -> Result<Self, StoreError> {
        let alternates = row
            .alternates
            .map(|alternates| alternates.read("the page in other languages"));
        let answered = row.status_code.map(|status_code| {
            Ok::<_, StoreError>(Answered {
                status_code: names::count(status_code)?,
                redirects_to: row.redirects_to,
                is_canonical: row.is_canonical,
            })
        });
        Ok(Self {
            key: row.url_key,
            url: row.url,
            file_id: row.file_id,
            lastmod: row.lastmod,
            // One that only a later version knows is as good as none.
            change_frequency: row.change_frequency.as_deref().and_then(ChangeFrequency::named),
            priority: row.priority,
            images: names::count(row.images)?,
            videos: names::count(row.videos)?,
            is_news: row.is_news,
            alternates: alternates.transpose()?.unwrap_or_default(),
            first_seen_at: row.first_seen_at,
            last_seen_at: row.last_seen_at,
            removed_at: row.removed_at,
            is_blocked: row.is_blocked,
            in_files: names::count(row.in_files)?,
            answered: answered.transpose()?,
        })
    }
}

/// The statement of pages that fulfil a condition, which names the index that it is read by.
macro_rules! pages {
    ($condition:literal) => {
        concat!(
            "SELECT u.url_key, u.url, u.file_id, u.lastmod, u.change_frequency, u.priority, u.images, u.videos, u.is_news,
                u.alternates, u.first_seen_at, coalesce(u.last_seen_at, f.good_at, u.listed_at) AS last_seen_at, u.removed_at,
                CASE
                    WHEN s.conflicts IS NULL THEN NULL
                    WHEN s.conflicts ->> 'googlebot' IS NULL THEN false
                    WHEN EXISTS (
                        SELECT FROM sitemap_conflicts AS c
                        WHERE c.domain_id = $1 AND c.crawler = s.conflicts ->> 'googlebot' AND c.url_key = u.url_key
                    ) THEN true
                    -- There are more conflicts than are kept: whether this page is one of the others is not known.
                    WHEN (s.conflicts -> 'totals' ->> (s.conflicts ->> 'googlebot'))::bigint > (
                        SELECT count(*)
                        FROM sitemap_sites AS k
                        JOIN sitemap_conflicts AS c ON c.domain_id = k.domain_id AND c.crawler = k.conflicts ->> 'googlebot'
                        WHERE k.domain_id = $1
                    ) THEN NULL
                    ELSE false
                END AS is_blocked,
                (
                    SELECT count(*) FROM sitemap_urls AS o
                    WHERE o.domain_id = $1 AND o.url_key = u.url_key AND o.removed_at IS NULL
                ) AS in_files, p.status_code, p.redirects_to, p.is_canonical
            FROM sitemap_urls AS u
            JOIN sitemap_files AS f ON f.id = u.file_id
            JOIN sitemap_sites AS s ON s.domain_id = $1
            LEFT JOIN sitemap_samples AS p ON p.domain_id = $1 AND p.url_key = u.url_key
            WHERE u.domain_id = $1 AND (u.first_seen_at, u.url_key) < ($2, $3)
                AND ($4::text IS NULL OR strpos(lower(u.url), lower($4)) > 0)
                AND ",
            $condition,
            " ORDER BY u.first_seen_at DESC, u.url_key DESC LIMIT $5"
        )
    };
}

/// One row a page: of a file that names it, if any does; of several, the first.
const ALL: &str = pages!(
    "NOT EXISTS (
        SELECT FROM sitemap_urls AS o
        WHERE o.domain_id = $1 AND o.url_key = u.url_key
            AND (o.removed_at IS NOT NULL, o.file_id) < (u.removed_at IS NOT NULL, u.file_id)
    )"
);
const PRESENT: &str = pages!(
    "u.removed_at IS NULL AND NOT EXISTS (
        SELECT FROM sitemap_urls AS o
        WHERE o.domain_id = $1 AND o.url_key = u.url_key AND o.removed_at IS NULL AND o.file_id < u.file_id
    )"
);
const REMOVED: &str = pages!(
    "u.removed_at IS NOT NULL AND NOT EXISTS (
        SELECT FROM sitemap_urls AS o
        WHERE o.domain_id = $1 AND o.url_key = u.url_key AND (o.removed_at IS NULL OR o.file_id < u.file_id)
    )"
);
const OF_FILE: &str = pages!("u.file_id = $6");
const PRESENT_OF_FILE: &str = pages!("u.file_id = $6 AND u.removed_at IS NULL");
const REMOVED_OF_FILE: &str = pages!("u.file_id = $6 AND u.removed_at IS NOT NULL");

/// Each statement by the pages that it gives. Tests ask how PostgreSQL plans it.
#[cfg(feature = "testing")]
pub const STATEMENTS: [(&str, &str); 6] = [
    ("all", ALL),
    ("present", PRESENT),
    ("removed", REMOVED),
    ("of a file", OF_FILE),
    ("present of a file", PRESENT_OF_FILE),
    ("removed of a file", REMOVED_OF_FILE),
];

pub(super) async fn pages(
    database: &Database,
    domain: &DomainAccess,
    filter: &PageFilter,
    page: &PageRequest,
) -> Result<Page<SitemapPage>, StoreError> {
    let Position { key: at, id } = page.after.unwrap_or(Position::START);
    // A text that few pages have in their address is looked for in all of them.
    let _share = database
        .long_read_share(domain.workspace().workspace().id.0)
        .await?;
    let mut connection = database.long_read().await?;
    macro_rules! rows {
        ($text:ident $(, $file:expr)?) => {
            sql!(text $text)
                .bind::<SqlUuid, _>(domain.id().0)
                .bind::<Timestamptz, _>(at)
                .bind::<SqlUuid, _>(id)
                .bind::<Nullable<Text>, _>(filter.search.as_deref())
                .bind::<BigInt, _>(page.rows())
                $(.bind::<SqlUuid, _>($file))?
                .load(&mut connection)
                .await
        };
    }
    let rows: Vec<PageRow> = match (filter.file, filter.presence) {
        (None, None) => rows!(ALL),
        (None, Some(Presence::Present)) => rows!(PRESENT),
        (None, Some(Presence::Removed)) => rows!(REMOVED),
        (Some(file), None) => rows!(OF_FILE, file),
        (Some(file), Some(Presence::Present)) => rows!(PRESENT_OF_FILE, file),
        (Some(file), Some(Presence::Removed)) => rows!(REMOVED_OF_FILE, file),
    }
    .map_err(read_failure)?;
    let pages = rows
        .into_iter()
        .map(SitemapPage::try_from)
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Page::cut_within(pages, page, MOST_BYTES, bytes, |page| {
        Position {
            key: page.first_seen_at,
            id: page.key,
        }
    }))
}

/// How many bytes the texts of a page have that are as long as the site will.
fn bytes(page: &SitemapPage) -> usize {
    let of_alternates = page.alternates.iter();
    let of_alternates = of_alternates.map(|page| page.href.len() + page.hreflang.len());
    page.url.len() + of_alternates.sum::<usize>()
}
