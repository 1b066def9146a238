//! Lists of which a row can't be read.

use std::fmt::Display;

use pharos_domain::{page::Page, store::StoreError};

use super::{Kind, SetAside};
use crate::pool::Database;

impl Database {
    /// Those of a list's rows that this version can read, in their order. The others are left out, a newer node may read them,
    /// and the first of them is noted: a list is read often, and one note tells of all. A list is answered though it can't be
    /// noted. Callers hold no connection of the pool meanwhile.
    pub async fn readable<Row, T, S>(&self, kind: Kind, rows: Vec<Row>, subject: impl Fn(&Row) -> S) -> Vec<T>
    where
        T: TryFrom<Row, Error = StoreError>,
        S: Display,
    {
        let mut unread = None;
        let mut readable = Vec::with_capacity(rows.len());
        for row in rows {
            let name = subject(&row);
            match T::try_from(row) {
                Ok(row) => readable.push(row),
                Err(error) => {
                    unread.get_or_insert_with(|| SetAside::unread(kind, &name, &error));
                }
            }
        }
        drop(subject);
        if let Some(note) = unread
            && let Err(error) = self.note(note).await
        {
            tracing::warn!(%error, "a row that can't be read is left out of a list, and can't be noted");
        }
        readable
    }

    /// The same of a page. It was cut from all rows, so that none is left behind it.
    pub async fn readable_page<Row, T, S, X>(
        &self,
        kind: Kind,
        mut page: Page<Row, X>,
        subject: impl Fn(&Row) -> S,
    ) -> Page<T, X>
    where
        T: TryFrom<Row, Error = StoreError>,
        S: Display,
    {
        let rows = std::mem::take(&mut page.items);
        let items = self.readable(kind, rows, subject).await;
        page.with_items(items)
    }
}
