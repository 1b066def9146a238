//! Operations of the modules `gsc` and `indexing`.

mod admin;
mod analysis;
mod annotations;
mod config;
pub(crate) mod fixtures;
pub(crate) mod google;
mod links;
mod misread;
mod official_client;
mod performance;
mod property;
mod reference;
mod reports;
mod seeded;
pub(crate) mod sync;
mod trouble;
mod unstored;

use std::sync::Arc;

use pharos_search::gsc::{
    figures::{Device, Figures, SearchType},
    import::{ImportedDay, Row, SearchImport},
    link::LinkStore,
    place::{Country, Place},
};
use serde_json::Value;
use time::Date;

use crate::harness::{Reply, TestApp};

pub(crate) fn path(app: &TestApp, rest: &str) -> String {
    format!("/domains/{}/gsc/{rest}", app.world.domain)
}

/// The answer of a read.
pub(crate) async fn read(app: &TestApp, rest: &str) -> Value {
    try_read(app, rest).await.ok()
}

pub(crate) async fn try_read(app: &TestApp, rest: &str) -> Reply {
    app.get(&path(app, rest), &app.world.key).send().await
}

/// Links the world's domain to a property whose days are imported from `reached` on, and final up to `data_through`.
pub(crate) async fn link(
    app: &TestApp,
    search_types: &[SearchType],
    reached: Date,
    data_through: Option<Date>,
) {
    let types: Vec<&str> = search_types.iter().map(|kind| kind.as_str()).collect();
    let through = data_through.map_or_else(|| "NULL".to_owned(), |day| format!("'{day}'"));
    app.sql(&format!(
        "INSERT INTO search_properties (domain_id, workspace_id, site_url, permission, status, search_types, linked_at,
            data_through)
        VALUES ('{}', '{}', 'sc-domain:shop.example', 'owner', 'connected', '{{{}}}', '2026-01-01Z', {through})
        ON CONFLICT (domain_id) DO UPDATE
            SET search_types = excluded.search_types, data_through = excluded.data_through",
        app.world.domain,
        app.world.workspace,
        types.join(","),
    ))
    .await;
    let codes: Vec<String> = search_types.iter().map(|kind| kind.code().to_string()).collect();
    app.sql(&format!(
        "INSERT INTO search_imports (domain_id, site_url, search_type, reached)
        SELECT s.domain_id, s.site_url, unnest('{{{}}}'::smallint[]), '{reached}'::date
        FROM search_properties AS s WHERE s.domain_id = '{}'
        ON CONFLICT (domain_id, site_url, search_type) DO UPDATE SET reached = excluded.reached",
        codes.join(","),
        app.world.domain,
    ))
    .await;
}

/// The figures of one query and page on a day, in one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    /// `None`: a rare query, which the upstream hides.
    pub(crate) query: Option<&'static str>,
    pub(crate) page: &'static str,
    pub(crate) country: Option<&'static str>,
    pub(crate) device: Option<Device>,
    pub(crate) clicks: u64,
    pub(crate) impressions: u64,
    pub(crate) position: f64,
}

/// A hit from a phone in Germany.
pub(crate) fn hit(
    query: &'static str,
    page: &'static str,
    clicks: u64,
    impressions: u64,
    position: f64,
) -> Hit {
    Hit {
        query: Some(query),
        page,
        country: Some("DE"),
        device: Some(Device::Mobile),
        clicks,
        impressions,
        position,
    }
}

impl Hit {
    /// The same with a query that the upstream hides.
    pub(crate) fn hidden(self) -> Self {
        Self { query: None, ..self }
    }

    /// The same in another place.
    pub(crate) fn at(self, country: &'static str, device: Device) -> Self {
        Self {
            country: Some(country),
            device: Some(device),
            ..self
        }
    }

    fn row<T>(&self, value: T) -> Row<T> {
        Row {
            value,
            place: Place {
                country: self.country.map(|letters| Country::new(letters).unwrap()),
                device: self.device,
            },
            figures: self.figures(),
        }
    }

    pub(crate) fn figures(&self) -> Figures {
        Figures {
            clicks: self.clicks,
            impressions: self.impressions,
            position_sum: self.position * self.impressions as f64,
        }
    }
}

/// A day that hits are all of, as the upstream tells it where an impression shows one page of the site: every count by
/// property is that by page.
pub(crate) fn day(is_final: bool, hits: &[Hit]) -> ImportedDay {
    let known = || hits.iter().filter_map(|hit| Some((hit, hit.query?.to_owned())));
    ImportedDay {
        is_final,
        totals: (!hits.is_empty()).then(|| hits.iter().map(Hit::figures).sum()),
        places: hits.iter().map(|hit| hit.row(())).collect(),
        queries: known().map(|(hit, query)| hit.row(query)).collect(),
        pages: hits.iter().map(|hit| hit.row(hit.page.to_owned())).collect(),
        pairs: known()
            .map(|(hit, query)| hit.row((query, hit.page.to_owned())))
            .collect(),
        appearances: Vec::new(),
        refused: Vec::new(),
    }
}

/// Stores days of one search type, as an import does.
pub(crate) async fn days(
    app: &TestApp,
    search_type: SearchType,
    days: impl IntoIterator<Item = (Date, ImportedDay)>,
) {
    let import: Arc<dyn SearchImport> = app.stores.ports.get().unwrap();
    let links: Arc<dyn LinkStore> = app.stores.ports.get().unwrap();
    let link = links.link(app.world.domain).await.unwrap().unwrap();
    for (date, day) in days {
        let is_stored = import.replace_day(link.of(), search_type, date, &day).await;
        assert!(is_stored.unwrap(), "{date}");
    }
}

/// Adds up the months that are over by then.
pub(crate) async fn sum_months(app: &TestApp, search_type: SearchType, data_through: Date) {
    let import: Arc<dyn SearchImport> = app.stores.ports.get().unwrap();
    import
        .sum_months(app.world.domain, search_type, data_through)
        .await
        .unwrap();
}
