//! An overview's comparison with the window before.

use serde::Serialize;

use super::overview::{AnalyticsBlock, DeviceVitals, SearchBlock, SearchFigures, Versus, Vitals};
use crate::window::Change;

/// Field performance against the window before, by class of device.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = OverviewVitalsComparison))]
pub struct VitalsComparison {
    /// Phones; null where neither window has any.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub mobile: Option<VitalsChange>,
    /// Desktop computers; null where neither window has any.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub desktop: Option<VitalsChange>,
}

/// Web vitals against the window before. Lower is better.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = OverviewVitalsChange))]
pub struct VitalsChange {
    /// Largest Contentful Paint, milliseconds.
    pub lcp_ms: Change,
    /// Cumulative Layout Shift.
    pub cls: Change,
    /// Interaction to Next Paint, milliseconds.
    pub inp_ms: Change,
    /// Time to First Byte, milliseconds.
    pub ttfb_ms: Change,
}

/// Search performance against the window before, by search type.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = OverviewSearchComparison))]
pub struct SearchComparison {
    /// Web search; null where neither window has any.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub web: Option<SearchChange>,
    /// Discover; null where neither window has any.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub discover: Option<SearchChange>,
    /// Google News; null where neither window has any.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub news: Option<SearchChange>,
}

/// Search performance in one search type against the window before.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = OverviewSearchChange))]
pub struct SearchChange {
    /// Clicks.
    pub clicks: Change,
    /// Impressions.
    pub impressions: Change,
    /// Clicks ÷ impressions, 0 to 1.
    pub ctr: Change,
    /// The mean position. A negative change means that the ranking improved.
    pub position: Change,
}

/// Visits against the window before.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = OverviewAnalyticsComparison))]
pub struct AnalyticsComparison {
    /// Visitors.
    pub visitors: Change,
    /// Pageviews.
    pub pageviews: Change,
    /// Sessions.
    pub sessions: Change,
    /// The share of sessions with a single pageview, in percent; its change is in percentage points.
    pub bounce_rate_pct: Change,
    /// The mean length of a session in seconds.
    pub avg_duration_seconds: Change,
}

impl From<&Versus<DeviceVitals>> for VitalsComparison {
    fn from(versus: &Versus<DeviceVitals>) -> Self {
        let Versus { current, previous } = versus;
        let previous = |device: fn(&DeviceVitals) -> Option<Vitals>| previous.as_ref().and_then(device);
        Self {
            mobile: vitals(current.mobile, previous(|block| block.mobile)),
            desktop: vitals(current.desktop, previous(|block| block.desktop)),
        }
    }
}

fn vitals(current: Option<Vitals>, previous: Option<Vitals>) -> Option<VitalsChange> {
    current.or(previous)?;
    let change =
        |figure: fn(Vitals) -> Option<f64>| Change::of(current.and_then(figure), previous.and_then(figure));
    Some(VitalsChange {
        lcp_ms: change(|vitals| vitals.lcp_ms),
        cls: change(|vitals| vitals.cls),
        inp_ms: change(|vitals| vitals.inp_ms),
        ttfb_ms: change(|vitals| vitals.ttfb_ms),
    })
}

impl From<&Versus<SearchBlock>> for SearchComparison {
    fn from(versus: &Versus<SearchBlock>) -> Self {
        let Versus { current, previous } = versus;
        let previous = |kind: fn(&SearchBlock) -> Option<SearchFigures>| previous.as_ref().and_then(kind);
        Self {
            web: search(current.web, previous(|block| block.web)),
            discover: search(current.discover, previous(|block| block.discover)),
            news: search(current.news, previous(|block| block.news)),
        }
    }
}

fn search(current: Option<SearchFigures>, previous: Option<SearchFigures>) -> Option<SearchChange> {
    current.or(previous)?;
    let change = |figure: fn(SearchFigures) -> Option<f64>| {
        Change::of(current.and_then(figure), previous.and_then(figure))
    };
    Some(SearchChange {
        clicks: change(|figures| Some(count(figures.clicks))),
        impressions: change(|figures| Some(count(figures.impressions))),
        ctr: change(|figures| figures.ctr),
        position: change(|figures| figures.position),
    })
}

impl From<&Versus<AnalyticsBlock>> for AnalyticsComparison {
    fn from(versus: &Versus<AnalyticsBlock>) -> Self {
        let Versus { current, previous } = *versus;
        let change = |figure: fn(AnalyticsBlock) -> Option<f64>| {
            Change::of(figure(current), previous.and_then(figure))
        };
        Self {
            visitors: change(|block| Some(count(block.visitors))),
            pageviews: change(|block| Some(count(block.pageviews))),
            sessions: change(|block| Some(count(block.sessions))),
            bounce_rate_pct: Change::of_percentages(
                current.bounce_rate_pct,
                previous.and_then(|block| block.bounce_rate_pct),
            ),
            avg_duration_seconds: change(|block| block.avg_duration_seconds),
        }
    }
}

/// Exact up to 2^53, which no site's count reaches in 28 days.
#[expect(clippy::cast_precision_loss, reason = "a count is far below 2^53")]
fn count(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(clicks: u64, position: Option<f64>) -> SearchFigures {
        SearchFigures {
            clicks,
            impressions: 1_000,
            ctr: Some(0.1),
            position,
        }
    }

    /// Worked out by hand: clicks from 80 to 100 are 20 more, 25 %; a position from 8 to 6 is 2 better, and negative.
    #[test]
    fn what_both_windows_have_is_compared() {
        let block = |web, news| SearchBlock {
            web,
            discover: None,
            news,
        };
        let comparison = SearchComparison::from(&Versus {
            current: block(Some(figures(100, Some(6.0))), Some(figures(5, None))),
            previous: Some(block(Some(figures(80, Some(8.0))), None)),
        });
        let web = comparison.web.unwrap();
        assert_eq!(
            (web.clicks.change, web.clicks.change_pct),
            (Some(20.0), Some(25.0))
        );
        assert_eq!(
            (web.position.change, web.position.change_pct),
            (Some(-2.0), Some(-25.0))
        );
        assert_eq!(comparison.discover, None);
        let news = comparison.news.unwrap();
        assert_eq!((news.clicks.current, news.clicks.previous), (Some(5.0), None));
        assert_eq!((news.clicks.change, news.clicks.change_pct), (None, None));
    }

    #[test]
    fn a_device_that_only_the_window_before_saw_still_has_its_row() {
        let desktop = Vitals {
            lcp_ms: Some(2_000.0),
            ..Vitals::default()
        };
        let block = |desktop| DeviceVitals {
            mobile: None,
            desktop,
        };
        let comparison = VitalsComparison::from(&Versus {
            current: block(None),
            previous: Some(block(Some(desktop))),
        });
        assert_eq!(comparison.mobile, None);
        let lcp = comparison.desktop.unwrap().lcp_ms;
        assert_eq!(
            (lcp.current, lcp.previous, lcp.change),
            (None, Some(2_000.0), None)
        );
    }

    #[test]
    fn visits_are_compared() {
        let block = |visitors| AnalyticsBlock {
            visitors,
            pageviews: 0,
            sessions: 10,
            bounce_rate_pct: Some(40.0),
            avg_duration_seconds: None,
        };
        let comparison = AnalyticsComparison::from(&Versus {
            current: block(150),
            previous: Some(block(100)),
        });
        assert_eq!(comparison.visitors.change_pct, Some(50.0));
        assert_eq!(
            (comparison.pageviews.change, comparison.pageviews.change_pct),
            (Some(0.0), None),
            "0 before"
        );
        assert_eq!(comparison.avg_duration_seconds.current, None);
    }
}
