//! The window of an answer, as the answer shows it.

use serde::Serialize;
use time::{Date, OffsetDateTime};

use super::{
    compare::{CompareMode, Comparison},
    period::Period,
    query::ResolvedWindow,
};
use crate::{day::Day, timestamp::Timestamp};

/// The window of an answer, as it was resolved. Every member is always there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Meta {
    /// The first day, UTC.
    pub range_start: Day,
    /// The last day, UTC, inclusive.
    pub range_end: Day,
    /// When the answer was computed. One that comes from the cache was computed earlier.
    pub generated_at: Timestamp,
    /// The named period that was asked for; null where none was.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub period: Option<Period>,
    /// The first day that was asked for, where the data of that day is no longer kept; else null.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub clamped_from: Option<Day>,
    /// The first day that the window is compared with; null without a comparison.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub compare_range_start: Option<Day>,
    /// The last day that the window is compared with, inclusive; null without a comparison.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub compare_range_end: Option<Day>,
    /// How these days were chosen; null without a comparison.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub compare_mode: Option<CompareMode>,
    /// Whether the window holds today, which is not over.
    pub range_end_partial: bool,
    /// Up to when the data is complete; null where nothing was ever received.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub data_through: Option<DataThrough>,
}

/// Up to when data is complete: a moment, or a day where it comes by the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum DataThrough {
    /// A day, inclusive.
    Day(Day),
    /// A moment.
    Moment(Timestamp),
}

/// Written by hand: a validator that takes formats for remarks, as most do, can't tell a day from a moment, so that both
/// branches of a derived `oneOf` would fit.
#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for DataThrough {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::{
            ToSchema,
            openapi::schema::{AnyOfBuilder, RefBuilder},
        };

        let of = |name: &str, description: &str| {
            RefBuilder::new()
                .ref_location_from_schema_name(name)
                .description(Some(description))
        };
        AnyOfBuilder::new()
            .description(Some(
                "Up to when data is complete: a moment, or a day where it comes by the day.",
            ))
            .item(of(&Day::name(), "A day, inclusive."))
            .item(of(&Timestamp::name(), "A moment."))
            .into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for DataThrough {
    fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        use utoipa::PartialSchema;

        schemas.extend([
            (Day::name().into_owned(), Day::schema()),
            (Timestamp::name().into_owned(), Timestamp::schema()),
        ]);
        Day::schemas(schemas);
        Timestamp::schemas(schemas);
    }
}

impl From<Date> for DataThrough {
    fn from(day: Date) -> Self {
        Self::Day(Day(day))
    }
}

impl From<OffsetDateTime> for DataThrough {
    fn from(moment: OffsetDateTime) -> Self {
        Self::Moment(moment.into())
    }
}

impl ResolvedWindow {
    /// The window as the answer shows it. `shown` is the comparison that the caller asked for, if any.
    #[must_use]
    pub fn meta(&self, shown: Option<&Comparison>, data_through: Option<DataThrough>) -> Meta {
        let Self {
            window,
            period,
            clamped_from,
            horizon,
        } = *self;
        Meta {
            range_start: Day(window.first()),
            range_end: Day(window.last()),
            generated_at: horizon.now.into(),
            period,
            clamped_from: clamped_from.map(Day),
            compare_range_start: shown.map(|comparison| Day(comparison.window.first())),
            compare_range_end: shown.map(|comparison| Day(comparison.window.last())),
            compare_mode: shown.map(|comparison| comparison.mode),
            range_end_partial: window.contains(horizon.today),
            data_through,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use time::macros::{date, datetime};

    use super::*;
    use crate::{
        module::Module,
        window::{Horizon, WindowQuery},
    };

    fn resolved(query: WindowQuery<'_>) -> ResolvedWindow {
        let horizon = Horizon::of(Module::Uptime, datetime!(2026-03-31 09:15:00.7 UTC));
        query.resolve(&horizon).unwrap()
    }

    #[test]
    fn every_member_is_there_without_a_comparison() {
        let window = resolved(WindowQuery {
            start_date: Some("2020-01-01"),
            end_date: Some("2026-03-30"),
            ..WindowQuery::default()
        });
        assert_eq!(
            serde_json::to_value(window.meta(None, None)).unwrap(),
            json!({
                "range_start": "2025-03-31", "range_end": "2026-03-30", "generated_at": "2026-03-31T09:15:00Z",
                "period": null, "clamped_from": "2020-01-01",
                "compare_range_start": null, "compare_range_end": null, "compare_mode": null,
                "range_end_partial": false, "data_through": null,
            })
        );
    }

    #[test]
    fn a_comparison_shows_its_days() {
        let window = resolved(WindowQuery {
            period: Some("this_month"),
            ..WindowQuery::default()
        });
        let through = datetime!(2026-03-31 09:14:30 UTC);
        let meta = window.meta(Some(&window.comparison(None)), Some(through.into()));
        assert_eq!(
            serde_json::to_value(meta).unwrap(),
            json!({
                "range_start": "2026-03-01", "range_end": "2026-03-31", "generated_at": "2026-03-31T09:15:00Z",
                "period": "this_month", "clamped_from": null,
                "compare_range_start": "2026-02-01", "compare_range_end": "2026-02-28", "compare_mode": "calendar_month",
                "range_end_partial": true, "data_through": "2026-03-31T09:14:30Z",
            })
        );
        let by_day = window.meta(None, Some(date!(2026 - 03 - 29).into()));
        assert_eq!(
            serde_json::to_value(by_day).unwrap()["data_through"],
            "2026-03-29"
        );
    }
}
