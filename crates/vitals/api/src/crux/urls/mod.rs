//! Pages that are followed.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod history;
pub(crate) mod list;
pub(crate) mod view;

use pharos_domain::{day::Day, ids::CruxUrlId, timestamp::Timestamp};
use pharos_http::operation::Example;
use pharos_vitals::crux::{FormFactor, store::Followed, target::TargetStatus};
use serde::Serialize;
use time::macros::{date, datetime};
use utoipa::ToSchema;
use uuid::uuid;

use super::figures::{self, AssessmentsPublic, VitalsPublic};

/// A page that is followed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CruxUrl)]
pub(crate) struct CruxUrlPublic {
    /// The id of the URL, for paths of the API.
    id: CruxUrlId,
    /// Its URL in normal form.
    url: String,
    /// A name; null where it has none.
    #[schema(required)]
    label: Option<String>,
    /// The devices that the report has figures of.
    form_factors: Vec<FormFactor>,
    /// How its collection goes. `no_data`: it is not in the report, or was not asked for yet.
    status: TargetStatus,
    /// On phones; null where there are too few of them.
    #[schema(required)]
    mobile: Option<VitalsPublic>,
    /// On computers; null where there are too few of them.
    #[schema(required)]
    desktop: Option<VitalsPublic>,
    /// Whether Core Web Vitals are passed.
    assessment: AssessmentsPublic,
    /// The end of its newest period; null where it never was in the report.
    #[schema(required)]
    last_record_end: Option<Day>,
    /// The end of the first period that there were figures of; null where it never was in the report.
    #[schema(required)]
    first_seen_data_at: Option<Day>,
    /// Since when it is followed.
    created_at: Timestamp,
}

impl From<&Followed> for CruxUrlPublic {
    fn from(followed: &Followed) -> Self {
        let of = |form_factor| figures::of(&followed.newest, form_factor).map(VitalsPublic::from);
        let target = &followed.target;
        Self {
            id: target.id,
            url: target.url.clone().unwrap_or_default(),
            label: target.label.clone(),
            form_factors: followed.newest.keys().copied().collect(),
            status: target.status,
            mobile: of(FormFactor::Mobile),
            desktop: of(FormFactor::Desktop),
            assessment: followed.into(),
            last_record_end: followed.last_record_on.map(Day),
            first_seen_data_at: target.first_seen_data_on.map(Day),
            created_at: target.created_at.into(),
        }
    }
}

impl Example for CruxUrlPublic {
    fn example() -> Self {
        let vitals = VitalsPublic::from(&figures::example());
        Self {
            id: CruxUrlId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e61")),
            url: "https://shop.example/shoes".to_owned(),
            label: Some("Shoes".to_owned()),
            form_factors: vec![FormFactor::All, FormFactor::Mobile],
            status: TargetStatus::Active,
            mobile: Some(vitals),
            desktop: None,
            assessment: AssessmentsPublic::example(),
            last_record_end: Some(Day(date!(2026 - 03 - 29))),
            first_seen_data_at: Some(Day(date!(2025 - 09 - 06))),
            created_at: datetime!(2026-02-01 10:00:00 UTC).into(),
        }
    }
}
