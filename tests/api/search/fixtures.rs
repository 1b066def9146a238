//! A linked property with two days of data.

use async_trait::async_trait;
use pharos_search::gsc::figures::SearchType;
use time::macros::date;

use super::{day, days, hit, link, reports};
use crate::{fixtures::Fixtures, harness::TestApp};

pub(crate) struct Search;

#[async_trait]
impl Fixtures for Search {
    async fn fill(&self, app: &TestApp) {
        let (first, last) = (date!(2026 - 03 - 28), date!(2026 - 03 - 29));
        link(app, &[SearchType::Web], date!(2025 - 12 - 01), Some(last)).await;
        let shoes = hit("red shoes", "https://shop.example/shoes/", 3, 40, 4.5);
        let hats = hit("hats", "https://shop.example/hats", 1, 10, 8.0);
        let stored = [(first, day(true, &[shoes])), (last, day(true, &[shoes, hats]))];
        days(app, SearchType::Web, stored).await;
        reports::fill(app).await;
    }
}
