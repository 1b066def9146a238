//! Pages as Chrome, their own visitors and the lab see them, beside each other.

use maud::{Markup, html};
use pharos_domain::{collect::client::Device, module::Module, window::DateRange};
use pharos_pictures::figure::{millis, number};
use pharos_vitals::{
    crux::{FormFactor, Metric as FieldMetric, store::Followed},
    metric::Metric,
    overview::ViewFilter,
    redact::page_url,
};
use time::{OffsetDateTime, UtcOffset};

use crate::{
    console::Console,
    enter::AtDomain,
    parts::table::{Column, Table, figure_cell},
    refusal::Refusal,
    shown::shown,
};

/// How many pages are shown.
const MOST: usize = 50;
/// The days that visitors are asked about: as many as a period of field data has.
const DAYS: u32 = 28;

/// A core metric of a page, by each way to measure it.
#[derive(Clone, Copy, Default)]
struct Measured {
    field: Option<f64>,
    visitors: Option<f64>,
    lab: Option<f64>,
}

impl Measured {
    fn ways(self) -> usize {
        [self.field, self.visitors, self.lab].iter().flatten().count()
    }
}

/// A page, with what is known of it.
struct Compared {
    url: String,
    lcp: Measured,
    inp: Measured,
    cls: Measured,
}

/// The followed pages of which two ways or more know something; nothing where there is none.
pub(super) async fn beside(
    console: &Console,
    here: &AtDomain,
    now: OffsetDateTime,
) -> Result<Markup, Refusal> {
    let collection = &console.parts.collection;
    let mut followed = collection.field_data.pages(&here.access).await?;
    followed.truncate(MOST);
    let urls: Vec<&str> = followed
        .iter()
        .filter_map(|page| page.target.url.as_deref())
        .collect();
    let known: Vec<String> = urls.iter().map(|url| page_url(url)).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let days = DateRange::ending(now.to_offset(UtcOffset::UTC).date(), DAYS);
    let phones = ViewFilter {
        device: Some(Device::Mobile),
        ..ViewFilter::default()
    };
    let none: &[&str] = &[];
    let (of_visitors, of_lab) = tokio::try_join!(
        collection.pages.pages_before(
            &here.access,
            days,
            &phones,
            if here.has(Module::Rum) {
                known.as_slice()
            } else {
                none
            },
            75
        ),
        collection.lab.of_phones(
            &here.access,
            if here.has(Module::Synthetic) {
                urls.as_slice()
            } else {
                none
            }
        ),
    )?;
    let pages: Vec<Compared> = followed
        .iter()
        .filter_map(|page| {
            let url = page.target.url.as_deref()?;
            let visitors = |metric| of_visitors.get(&page_url(url))?.percentiles.of(metric);
            let lab = of_lab.get(url);
            Some(Compared {
                url: url.to_owned(),
                lcp: Measured {
                    field: field(page, FieldMetric::Lcp),
                    visitors: visitors(Metric::Lcp),
                    lab: lab.and_then(|lab| lab.lcp_ms),
                },
                inp: Measured {
                    field: field(page, FieldMetric::Inp),
                    visitors: visitors(Metric::Inp),
                    lab: None,
                },
                cls: Measured {
                    field: field(page, FieldMetric::Cls),
                    visitors: visitors(Metric::Cls),
                    lab: lab.and_then(|lab| lab.cls),
                },
            })
        })
        .filter(|page| {
            [page.lcp, page.inp, page.cls]
                .iter()
                .any(|measured| measured.ways() > 1)
        })
        .collect();
    Ok(if pages.is_empty() {
        html! {}
    } else {
        table(&pages)
    })
}

/// The 75th percentile of the newest period, on phones.
fn field(page: &Followed, metric: FieldMetric) -> Option<f64> {
    let (_, figures) = page.newest.get(&FormFactor::Mobile)?;
    figures.metrics.get(&metric)?.p75
}

fn table(pages: &[Compared]) -> Markup {
    let cls = |value| number(value, 3);
    let table = Table {
        caption: "Pages on phones: Chrome, your visitors, the lab",
        columns: &[
            Column::text("Page"),
            Column::figure("LCP, Chrome"),
            Column::figure("LCP, visitors"),
            Column::figure("LCP, lab"),
            Column::figure("INP, Chrome"),
            Column::figure("INP, visitors"),
            Column::figure("CLS, Chrome"),
            Column::figure("CLS, visitors"),
            Column::figure("CLS, lab"),
        ],
        rows: pages
            .iter()
            .map(|page| {
                vec![
                    html! { bdi { (shown(&page.url)) } },
                    figure_cell(page.lcp.field, millis),
                    figure_cell(page.lcp.visitors, millis),
                    figure_cell(page.lcp.lab, millis),
                    figure_cell(page.inp.field, millis),
                    figure_cell(page.inp.visitors, millis),
                    figure_cell(page.cls.field, cls),
                    figure_cell(page.cls.visitors, cls),
                    figure_cell(page.cls.lab, cls),
                ]
            })
            .collect(),
    };
    html! {
        h2 { "Beside each other" }
        p.note {
            "The 75th percentiles of the newest period of Chrome and of your visitors of the last " (DAYS) " days, and the last test in the lab. \
             Nobody clicks in the lab, so it has no INP. They measure different things, and need not agree."
        }
        (table.show(&html! {}))
    }
}
