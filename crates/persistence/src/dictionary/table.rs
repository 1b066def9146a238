//! The tables of a dictionary, and its statements.

use std::fmt::Debug;

use crate::statement::Bare;

/// The tables of a dictionary. [`dictionary_table`](crate::dictionary_table) makes its statements.
pub trait DictionaryTable: Copy + Debug + Default + Send + Sync + 'static {
    /// The kinds of texts.
    type Dimension: Copy + Debug;

    /// Its bounds.
    const BOUNDS: DictionaryBounds;

    /// The number of a dimension in the tables.
    fn number(dimension: Self::Dimension) -> i16;

    /// Looks texts up: the domains `$1`, the dimensions `$2`, the texts `$3`.
    fn find() -> Bare<impl Send + 'static>;

    /// Notes of the numbers `$1` on which days `$2` they are used.
    fn touch() -> Bare<impl Send + 'static>;

    /// Makes numbers of texts, as they are looked up, for the days `$4`; `$5` of a domain's dimension and day at most.
    fn make() -> Bare<impl Send + 'static>;
}

/// How much a dictionary takes.
#[derive(Clone, Copy, Debug)]
pub struct DictionaryBounds {
    /// The longest text, in bytes; of a longer one the beginning is kept.
    pub longest: usize,
    /// How many texts that were never seen before a domain may bring to one dimension on a UTC day.
    pub most_new: u32,
    /// The text that stands for all beyond.
    pub other: &'static str,
    /// How many bytes of memory a process has for texts that it remembers.
    pub remembered: u64,
}

/// The statements of a [`DictionaryTable`](crate::dictionary::DictionaryTable), within its `impl`.
///
/// `table` has the columns `id`, `domain_id`, `dimension`, `value` and `used_on`, and each value of a domain's dimension once;
/// `counts` has `made`, how many were added, by `domain_id`, `dimension` and `day`.
#[macro_export]
macro_rules! dictionary_table {
    (table: $table:literal, counts: $counts:literal) => {
        fn find() -> $crate::statement::Bare<impl Send + 'static> {
            $crate::sql!(text concat!(
            "SELECT wanted.place::integer, v.id, v.used_on
FROM unnest($1, $2, $3) WITH ORDINALITY AS wanted (domain_id, dimension, value, place)
JOIN ", $table, " AS v
    ON v.domain_id = wanted.domain_id AND v.dimension = wanted.dimension AND v.value = wanted.value"
            ))
        }

        fn touch() -> $crate::statement::Bare<impl Send + 'static> {
            $crate::sql!(text concat!(
            "-- Those that were forgotten meanwhile are not among what it returns.
UPDATE ", $table, " AS v
SET used_on = greatest(v.used_on, touched.day)
FROM (
    SELECT f.id, touched.day
    FROM unnest($1, $2) AS touched (id, day)
    JOIN ", $table, " AS f USING (id)
    ORDER BY f.id
    FOR NO KEY UPDATE OF f
) AS touched
WHERE v.id = touched.id
RETURNING v.id"
            ))
        }

        fn make() -> $crate::statement::Bare<impl Send + 'static> {
            $crate::sql!(text concat!(
            "WITH wanted AS (
    SELECT
        w.domain_id, w.dimension, w.value, w.day,
        row_number() OVER (PARTITION BY w.domain_id, w.dimension, w.day ORDER BY w.value) AS place,
        count(*) OVER (PARTITION BY w.domain_id, w.dimension, w.day) AS asked
    FROM unnest($1, $2, $3, $4) AS w (domain_id, dimension, value, day)
), counted AS (
    INSERT INTO ", $counts, " AS counted (domain_id, dimension, day, made)
    SELECT w.domain_id, w.dimension, w.day, count(*)
    FROM wanted AS w
    GROUP BY 1, 2, 3
    ORDER BY 1, 2, 3
    ON CONFLICT (domain_id, dimension, day)
        DO UPDATE SET made = least(counted.made::bigint + excluded.made, 1000000000)
    RETURNING counted.domain_id, counted.dimension, counted.day, counted.made
)
INSERT INTO ", $table, " (domain_id, dimension, value, used_on)
SELECT w.domain_id, w.dimension, w.value, w.day
FROM wanted AS w
JOIN counted USING (domain_id, dimension, day)
WHERE counted.made - w.asked + w.place <= $5
ORDER BY 1, 2, 3
ON CONFLICT (domain_id, dimension, value) DO NOTHING"
            ))
        }
    };
}
