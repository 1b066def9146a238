//! The core metrics of a site among their bands.

use maud::{Markup, html};
use pharos_domain::report_widget::at_path;
use pharos_pictures::{
    calendar::Tone,
    figure::{millis, number},
    gauge::{Band, gauge},
};
use pharos_reporting::data::SectionData;
use pharos_vitals::metric::{Bands, Metric};
use serde_json::Value;

/// The widget that has the headline figures.
const FIGURES: &str = "kpi_row";

/// A gauge a core metric, of the figures that the page shows; nothing where there are none.
pub(super) fn bands(sections: &[SectionData]) -> Markup {
    let mut widgets = sections.iter().flat_map(|section| &section.widgets);
    let figures = widgets.find(|data| data.name == FIGURES);
    let Some(whole) = figures.and_then(|data| data.answer.data.as_ref()) else {
        return html! {};
    };
    let value = |path| at_path(whole, path).and_then(Value::as_f64);
    let cls = |value| number(value, 3);
    html! {
        section.card aria-labelledby="bands-head" {
            h2 id="bands-head" { "Core Web Vitals" }
            p.note { "The 75th percentile of each: three of four views were as good, or better." }
            (among("lcp", "Largest Contentful Paint", Metric::Lcp, value("vitals.all.lcp_ms"), millis))
            (among("inp", "Interaction to Next Paint", Metric::Inp, value("vitals.all.inp_ms"), millis))
            (among("cls", "Cumulative Layout Shift", Metric::Cls, value("vitals.all.cls"), cls))
        }
    }
}

fn among(id: &str, title: &str, metric: Metric, value: Option<f64>, words: fn(f64) -> String) -> Markup {
    let Bands { good, poor } = metric.bands();
    // A bound itself is of the better band, and a band of the gauge ends before its own.
    let after = |bound: f64| bound * (1.0 + 1e-12);
    let bands = [
        Band {
            until: after(good),
            tone: Tone::Good,
            name: "good",
        },
        Band {
            until: after(poor),
            tone: Tone::Part,
            name: "needs improvement",
        },
        Band {
            until: value.unwrap_or_default().max(poor * 1.5),
            tone: Tone::Bad,
            name: "poor",
        },
    ];
    html! {
        h3 { (title) }
        (gauge(&format!("band-{id}"), title, value, 0.0, &bands, words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_of_the_better_band_and_what_was_not_measured_of_none() {
        let told = |value| among("lcp", "LCP", Metric::Lcp, value, millis).into_string();
        for (value, band) in [
            (2_500.0, "2,500 ms, good"),
            (2_501.0, "2,501 ms, needs improvement"),
            (4_000.0, "4,000 ms, needs improvement"),
            (9_000.0, "9,000 ms, poor"),
        ] {
            let drawn = told(Some(value));
            assert!(drawn.contains(band), "{drawn}");
        }
        assert!(told(None).contains("not measured"));
    }
}
