//! Rules that the schema as such must keep.

use std::{fmt::Write, fs, path::Path};

use crate::harness::Fixture;

/// Every foreign key has an index that begins with its columns and covers all rows: otherwise deleting or changing
/// what it refers to reads the whole table.
#[tokio::test]
async fn every_foreign_key_has_an_index() {
    let fixture = Fixture::new().await;
    let bare = fixture
        .sql
        .query(
            "SELECT c.conrelid::regclass::text || ' (' || c.conname || ')'
             FROM pg_constraint AS c
             WHERE c.contype = 'f' AND NOT EXISTS (
                 SELECT FROM pg_index AS i
                 WHERE i.indrelid = c.conrelid AND i.indpred IS NULL
                     AND (string_to_array(i.indkey::text, ' ')::smallint[])[1:cardinality(c.conkey)] @> c.conkey
             )",
            &[],
        )
        .await
        .unwrap();
    let bare: Vec<String> = bare.iter().map(|row| row.get(0)).collect();
    assert_eq!(bare, Vec::<String>::new());
    let all: i64 = fixture
        .value("SELECT count(*) FROM pg_constraint WHERE contype = 'f'", &[])
        .await;
    assert!(all > 10, "the query looks at {all} foreign keys");
}

#[tokio::test]
async fn every_table_and_function_says_what_it_is() {
    let fixture = Fixture::new().await;
    let silent = fixture
        .sql
        .query(
            "SELECT c.relname::text FROM pg_class AS c
             WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
                 AND c.relname <> '__diesel_schema_migrations'
                 AND obj_description(c.oid, 'pg_class') IS NULL
             UNION ALL
             SELECT p.proname::text FROM pg_proc AS p
             WHERE p.pronamespace = 'public'::regnamespace AND obj_description(p.oid, 'pg_proc') IS NULL",
            &[],
        )
        .await
        .unwrap();
    let silent: Vec<String> = silent.iter().map(|row| row.get(0)).collect();
    assert_eq!(silent, Vec::<String>::new());
}

/// The tables as `schema.rs` would declare them, without partitions.
async fn printed(fixture: &Fixture) -> Vec<String> {
    let columns = fixture
        .sql
        .query(
            "SELECT t.relname::text, a.attname::text, a.attnotnull, format_type(a.atttypid, a.atttypmod),
                 (SELECT string_agg(k.attname, ', ' ORDER BY array_position(i.indkey::smallint[], k.attnum))
                  FROM pg_index AS i JOIN pg_attribute AS k ON k.attrelid = t.oid AND k.attnum = ANY(i.indkey)
                  WHERE i.indrelid = t.oid AND i.indisprimary)
             FROM pg_class AS t
             JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
             WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition
                 AND t.relname <> '__diesel_schema_migrations'
             ORDER BY t.relname, a.attnum",
            &[],
        )
        .await
        .unwrap();
    let mut tables: Vec<(String, String)> = Vec::new();
    for column in &columns {
        let (table, name): (String, String) = (column.get(0), column.get(1));
        if tables.last().is_none_or(|(last, _)| *last != table) {
            let key: String = column.get(4);
            tables.push((table.clone(), format!("    {table} ({key}) {{\n")));
        }
        let mut kind = match column.get::<_, String>(3).as_str() {
            "text" => "Text",
            "text[]" => "Array<Text>",
            "bigint[]" => "Array<BigInt>",
            "bigint" => "BigInt",
            "smallint" => "SmallInt",
            "integer" => "Integer",
            "double precision" => "Double",
            "boolean" => "Bool",
            "uuid" => "Uuid",
            "uuid[]" => "Array<Uuid>",
            "bytea" => "Binary",
            "jsonb" => "Jsonb",
            "inet" => "Inet",
            "date" => "Date",
            "timestamp with time zone" => "Timestamptz",
            other => panic!("{table}.{name}: no name for {other}"),
        }
        .to_owned();
        if !column.get::<_, bool>(2) {
            kind = format!("Nullable<{kind}>");
        }
        let (_, text) = tables.last_mut().unwrap();
        writeln!(text, "        {name} -> {kind},").unwrap();
    }
    tables
        .into_iter()
        .map(|(_, text)| format!("{text}    }}\n"))
        .collect()
}

/// The `schema.rs` of the kit and of every group.
fn sources() -> Vec<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let groups = fs::read_dir(&crates).unwrap();
    let groups = groups.map(|group| group.unwrap().path().join("pg/src/schema.rs"));
    let kit = crates.join("persistence/src/schema.rs");
    let files = groups.chain([kit]).filter(|file| file.exists());
    files.map(|file| fs::read_to_string(file).unwrap()).collect()
}

#[tokio::test]
async fn schema_rs_is_what_the_migrations_make() {
    let fixture = Fixture::new().await;
    let sources = sources();
    let mut declared: Vec<String> = sources
        .iter()
        .flat_map(|source| source.split("diesel::table! {\n").skip(1))
        .map(|rest| rest.split_once("\n}\n").unwrap().0.to_owned() + "\n")
        .collect();
    declared.sort();
    assert_eq!(declared.join("\n"), printed(&fixture).await.join("\n"));
}
