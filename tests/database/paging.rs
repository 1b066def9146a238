//! Lists by any sort key, by the SQL of `docs/adding-an-operation.md`: every item stands on one page, in either order, whatever
//! the ties and the nulls, and a page is read from where it begins.

use std::fmt::Debug;

use pharos_domain::page::{CursorPart, ListKey, Page, PageRequest, Position, SortOrder};
use tokio_postgres::{
    SimpleQueryMessage,
    types::{FromSql, ToSql},
};
use uuid::Uuid;

use crate::harness::Fixture;

/// Few keys for many rows; a third of the numbers is null. The pages of another domain are on no list.
const PAGES: &str = "
    CREATE TABLE pages (domain_id uuid NOT NULL, id uuid PRIMARY KEY, name text NOT NULL, hits bigint NOT NULL, lcp float8);
    CREATE INDEX pages_name_idx ON pages (domain_id, name, id);
    CREATE INDEX pages_hits_idx ON pages (domain_id, hits, id);
    CREATE INDEX pages_lcp_idx ON pages (domain_id, lcp, id);
    INSERT INTO pages
    SELECT d.id,
        gen_random_uuid(),
        (ARRAY['', 'é', 'e', 'Z', 'a b', 'ab', '%'])[1 + n % 7],
        n % 6 - 3,
        CASE WHEN n % 3 > 0 THEN n % 4 / 10.0 - 0.1 END
    FROM generate_series(1, 60) AS n,
        unnest(ARRAY['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']::uuid[]) AS d (id)";

const ORDERS: [SortOrder; 2] = [SortOrder::Ascending, SortOrder::Descending];

/// The three lists of the guide: by a key that is never null, by a text, and by a key that may be null.
fn guide() -> [&'static str; 3] {
    let guide = include_str!("../../docs/adding-an-operation.md");
    let blocks = guide.split("```sql\n").skip(1);
    let blocks: Vec<&str> = blocks.filter_map(|rest| rest.split("```").next()).collect();
    blocks.try_into().expect("three lists")
}

/// A list of the guide in this order: descending as the guide says that it is made of what it shows.
fn in_order(sql: &str, order: SortOrder) -> String {
    let SortOrder::Descending = order else {
        return sql.to_owned();
    };
    let line = |line: &str| match line.split_once("ORDER BY ") {
        Some((before, columns)) => {
            let columns = columns.split(", ").map(|column| match column.split_once(' ') {
                Some((column, nulls)) => format!("{column} DESC {nulls}"),
                None => format!("{column} DESC"),
            });
            format!("{before}ORDER BY {}\n", columns.collect::<Vec<_>>().join(", "))
        }
        None => format!("{}\n", line.replace(" > ", " < ")),
    };
    sql.lines().map(line).collect()
}

/// The id before that of the first item.
fn beginning(order: SortOrder) -> Uuid {
    match order {
        SortOrder::Ascending => Uuid::nil(),
        SortOrder::Descending => Uuid::max(),
    }
}

type Binds = Vec<Box<dyn ToSql + Sync + Send>>;

/// The position, or one that is before the first item.
fn bounded<K: ToSql + Sync + Send + 'static>(
    after: Option<Position<K>>,
    first: K,
    order: SortOrder,
) -> Binds {
    let id = beginning(order);
    let Position { key, id } = after.unwrap_or(Position { key: first, id });
    vec![Box::new(key), Box::new(id)]
}

/// All ids, page by page, each by the cursor of the one before.
async fn paged<K>(
    fixture: &Fixture,
    query: &str,
    order: SortOrder,
    limit: usize,
    binds: &impl Fn(Option<Position<K>>) -> Binds,
) -> Vec<Uuid>
where
    K: CursorPart + for<'a> FromSql<'a> + PartialEq + Debug,
{
    let list = ListKey::new("listPages", Uuid::nil()).by("order", order.as_str());
    let (mut ids, mut cursor): (Vec<Uuid>, Option<String>) = (Vec::new(), None);
    loop {
        let page = PageRequest::<K> {
            limit,
            after: cursor.map(|cursor| Position::open(&cursor, &list).expect("a cursor of this list")),
            list,
        };
        let (domain, rows) = (Uuid::nil(), page.rows());
        let position = binds(page.after.clone());
        let mut all: Vec<&(dyn ToSql + Sync)> = vec![&domain];
        all.extend(position.iter().map(|bind| &**bind as &(dyn ToSql + Sync)));
        all.push(&rows);
        let rows = fixture.sql.query(query, &all).await.unwrap();
        let rows = rows.iter().map(|row| (row.get::<_, Uuid>(0), row.get::<_, K>(1)));
        let found = Page::cut(rows.collect(), &page, |(id, key)| Position {
            key: key.clone(),
            id: *id,
        });
        ids.extend(found.items.iter().map(|(id, _)| *id));
        match found.next_cursor {
            Some(next) => cursor = Some(next),
            None => return ids,
        }
    }
}

async fn holds<K>(
    fixture: &Fixture,
    sql: &str,
    order: SortOrder,
    binds: impl Fn(Option<Position<K>>) -> Binds,
) where
    K: CursorPart + for<'a> FromSql<'a> + PartialEq + Debug,
{
    let query = in_order(sql, order);
    let all = paged::<K>(fixture, &query, order, 1_000, &binds).await;
    assert_eq!(all.len(), 60, "{query}");
    for limit in [1, 7, 60] {
        let pages = paged::<K>(fixture, &query, order, limit, &binds).await;
        assert_eq!(pages, all, "pages of {limit}: {query}");
    }
}

#[tokio::test]
async fn pages_by_any_key_have_no_gap_and_no_repeat() {
    let fixture = Fixture::new().await;
    fixture.sql.batch_execute(PAGES).await.unwrap();
    let [by_number, by_text, by_nullable] = guide();
    let by_name = by_number.replace("hits", "name");
    for order in ORDERS {
        let is_ascending = matches!(order, SortOrder::Ascending);
        let least = if is_ascending { i64::MIN } else { i64::MAX };
        holds::<i64>(&fixture, by_number, order, |after| bounded(after, least, order)).await;
        if is_ascending {
            let binds = |after| bounded(after, String::new(), order);
            holds::<String>(&fixture, &by_name, order, binds).await;
        }
        holds::<String>(&fixture, by_text, order, |after| {
            let (key, id) = after.map(|Position { key, id }| (key, id)).unzip();
            vec![Box::new(key), Box::new(id)]
        })
        .await;
        let least = if is_ascending {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
        holds::<Option<f64>>(&fixture, by_nullable, order, |after| {
            let among_nulls = match after {
                Some(Position { key: None, id }) => id,
                _ => beginning(order),
            };
            let mut binds = bounded(after, Some(least), order);
            binds.push(Box::new(among_nulls));
            binds
        })
        .await;
    }
}

/// A page in the middle is a range of the index, as it is planned for the values at hand, and as it is planned once for any.
#[tokio::test]
async fn a_page_is_read_from_where_it_begins() {
    let fixture = Fixture::new().await;
    let many = PAGES.replace("(1, 60)", "(1, 20000)");
    fixture.sql.batch_execute(&many).await.unwrap();
    fixture.sql.batch_execute("ANALYZE pages").await.unwrap();
    let (nil, middle) = (Uuid::nil(), "80000000-0000-4000-8000-000000000000");
    let [by_number, by_text, by_nullable] = guide();
    let lists = [
        (
            by_number,
            "uuid, bigint, uuid, bigint",
            format!("'{nil}', 0, '{middle}', 51"),
        ),
        (
            by_text,
            "uuid, text, uuid, bigint",
            format!("'{nil}', 'ab', '{middle}', 51"),
        ),
        (
            by_nullable,
            "uuid, float8, uuid, uuid, bigint",
            format!("'{nil}', 0.1, '{middle}', '{nil}', 51"),
        ),
        (
            by_nullable,
            "uuid, float8, uuid, uuid, bigint",
            format!("'{nil}', NULL, '{middle}', '{middle}', 51"),
        ),
    ];
    for (sql, types, values) in &lists {
        for order in ORDERS {
            for mode in ["force_custom_plan", "force_generic_plan"] {
                let prepare = format!(
                    "SET plan_cache_mode = {mode};
                     DEALLOCATE ALL;
                     PREPARE page ({types}) AS {}",
                    in_order(sql, order)
                );
                fixture.sql.batch_execute(&prepare).await.unwrap();
                let explain = format!("EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) EXECUTE page ({values})");
                let rows = fixture.sql.simple_query(&explain).await.unwrap();
                let plan = rows.iter().filter_map(|row| match row {
                    SimpleQueryMessage::Row(row) => row.get(0),
                    _ => None,
                });
                let plan: Vec<&str> = plan.collect();
                let whole = format!("{mode}, {order}: {}", plan.join("\n"));
                assert!(whole.contains("Index Cond: ((domain_id = "), "{whole}");
                for unwanted in ["Seq Scan", "Bitmap", "Rows Removed"] {
                    assert!(!whole.contains(unwanted), "{whole}");
                }
                // All conditions are the index's, but one that says beforehand that a range is empty.
                let filters = plan
                    .iter()
                    .filter(|line| line.trim_start().starts_with("Filter:"));
                assert_eq!(filters.count(), 0, "{whole}");
                // No node has seen more than the two ranges give.
                let seen = plan.iter().filter_map(|line| {
                    let (_, rest) = line.split_once("actual rows=")?;
                    rest.split([' ', '.']).next()?.parse::<u32>().ok()
                });
                let most = seen.max().expect("rows");
                assert!((1..=102).contains(&most), "{whole}");
            }
        }
    }
}
