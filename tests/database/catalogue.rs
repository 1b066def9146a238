//! Everything that a schema consists of, as text.

use tokio_postgres::Client;

/// Everything that a migration can leave behind, a line each. Constraints without the parentheses that are lost when a
/// database is dumped and loaded.
const CATALOGUE: &str = "
    SELECT 'column ' || c.oid::regclass || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        || ' ' || a.attnotnull || ' ' || a.attgenerated::text
        || coalesce(' ' || pg_get_expr(d.adbin, d.adrelid), '') || coalesce(' -- ' || col_description(c.oid, a.attnum), '')
    FROM pg_class AS c
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
    UNION ALL
    SELECT 'relation ' || c.relkind::text || ' ' || c.relname || ' ' || coalesce(c.reloptions::text, '')
        || coalesce(' -- ' || obj_description(c.oid, 'pg_class'), '')
        || coalesce(' ' || pg_get_expr(c.relpartbound, c.oid), '')
    FROM pg_class AS c WHERE c.relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'index ' || pg_get_indexdef(i.indexrelid) FROM pg_index AS i
    JOIN pg_class AS c ON c.oid = i.indexrelid WHERE c.relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'constraint ' || k.conrelid::regclass || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid, true)
    FROM pg_constraint AS k WHERE k.connamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'trigger ' || pg_get_triggerdef(t.oid) FROM pg_trigger AS t WHERE NOT t.tgisinternal
    UNION ALL
    SELECT 'function ' || pg_get_functiondef(p.oid) || coalesce(' -- ' || obj_description(p.oid, 'pg_proc'), '')
    FROM pg_proc AS p WHERE p.pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'type ' || t.typname FROM pg_type AS t WHERE t.typnamespace = 'public'::regnamespace
    ORDER BY 1";

/// All that is in the schema, in an order.
pub(crate) async fn catalogue(sql: &Client) -> Vec<String> {
    let rows = sql.query(CATALOGUE, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}
