//! The parameters that reads of chosen views share, and answers that PostgreSQL puts together.

use std::fmt::Debug;

use diesel::{QueryableByName, sql_types::Jsonb};
use pharos_persistence::json::Json;
use pharos_vitals::chosen::MOST_ROWS;
use serde::de::DeserializeOwned;

/// Binds the parameters of `rum_chosen_views`, $1 to $11, then $12, the percentile as a share of 1, and $13, below how many
/// views a figure says little.
macro_rules! chosen {
    ($statement:expr, $domain:expr, $views:expr) => {{
        let views: &pharos_vitals::chosen::ChosenViews = $views;
        let asked = $crate::reads::asked::Asked {
            domain: $domain.id(),
            days: views.days,
            filter: &views.filter,
        };
        $crate::reads::asked::bound!(asked, $statement)
            .bind::<diesel::sql_types::Double, _>(f64::from(pharos_vitals::block::HEADLINE_PERCENT) / 100.0)
            .bind::<diesel::sql_types::BigInt, _>(pharos_vitals::chosen::LOW_SAMPLE.cast_signed())
    }};
}
pub(super) use chosen;

/// The names of a closed enum, in the order of the numbers that stand for them. Numbers beyond are those of a later version, since
/// nodes are upgraded one by one: statements leave out what has one where its name must be told.
macro_rules! names {
    ($kind:ty) => {
        <$kind>::ALL
            .iter()
            .map(|kind| kind.as_str())
            .collect::<Vec<&str>>()
    };
}
pub(super) use names;

/// How many rows of a list are read: one more says that there are others.
#[expect(clippy::cast_possible_wrap, reason = "a thousand")]
pub(super) const ROWS_READ: i64 = MOST_ROWS as i64 + 1;

/// A row that is one document.
#[derive(Debug, QueryableByName)]
pub(super) struct Row<T: Debug + DeserializeOwned + 'static> {
    #[diesel(sql_type = Jsonb)]
    pub(super) report: Json<T>,
}

/// The one document that a query answers.
macro_rules! report {
    ($reads:expr, $query:expr, $what:literal) => {{
        let mut connection = $reads.database.long_read().await?;
        let row: $crate::reads::chosen::Row<_> =
            diesel_async::RunQueryDsl::get_result($query, &mut connection)
                .await
                .map_err(pharos_persistence::failure::read_failure)?;
        row.report.read($what)
    }};
}
pub(super) use report;

/// The list whose rows are the documents that a query answers.
macro_rules! ranked {
    ($reads:expr, $query:expr, $what:literal) => {{
        let mut connection = $reads.database.long_read().await?;
        let rows: Vec<$crate::reads::chosen::Row<_>> =
            diesel_async::RunQueryDsl::load($query, &mut connection)
                .await
                .map_err(pharos_persistence::failure::read_failure)?;
        let rows = rows.into_iter().map(|row| row.report.read($what));
        Ok(pharos_vitals::chosen::Ranked::of(rows.collect::<Result<_, _>>()?))
    }};
}
pub(super) use ranked;
