//! The pages that hold most visitors up, each with the element that most of it is owed to.

use maud::{Markup, html};
use pharos_domain::{store::StoreError, window::DateRange};
use pharos_pictures::figure::{millis, number};
use pharos_vitals::{
    chosen::ChosenViews,
    impact::{Impact, ImpactMetric, SuspectedCause},
    overview::ViewFilter,
};

use crate::{
    console::{Collection, Console},
    enter::AtDomain,
    parts::table::{Column, Table},
    refusal::Refusal,
    shown::shown,
};

/// How many pages are shown. Each is a query of its own.
const MOST: usize = 5;
/// The percentile that a page is judged by.
const PERCENT: u8 = 75;

/// The pages; nothing where all views are good.
pub(super) async fn blame(console: &Console, here: &AtDomain, days: DateRange) -> Result<Markup, Refusal> {
    let collection = &console.parts.collection;
    let found = collection
        .impact
        .impact(&here.access, days, None, MOST, PERCENT)
        .await?;
    if found.is_empty() {
        return Ok(html! {});
    }
    let mut rows = Vec::with_capacity(found.len());
    for page in &found {
        let element = element(collection, here, days, page).await?;
        rows.push(row(page, element.as_deref()));
    }
    let table = Table {
        caption: "Pages and the elements to blame",
        columns: &[
            Column::text("Page"),
            Column::text("Metric"),
            Column::figure("75th percentile"),
            Column::figure("Views that are not good"),
            Column::text("Element"),
            Column::text("Mostly").spare(),
        ],
        rows,
    };
    Ok(html! {
        h2 { "What to mend first" }
        p.note {
            "The pages with most views that are not good. The element is the one that most often was the largest paint, had most slow \
             interactions, or moved most."
        }
        (table.show(&html! {}))
    })
}

fn row(page: &Impact, element: Option<&str>) -> Vec<Markup> {
    let (metric, value) = match page.metric {
        ImpactMetric::Lcp => ("LCP", millis(page.percentile)),
        ImpactMetric::Inp => ("INP", millis(page.percentile)),
        ImpactMetric::Cls => ("CLS", number(page.percentile, 3)),
    };
    vec![
        html! { bdi { (shown(&page.url)) } },
        html! { (metric) },
        html! { (value) },
        html! { (number(page.affected as f64, 0)) },
        html! { @match element { Some(element) => code { bdi { (shown(element)) } }, None => span.none { "–" } } },
        html! { (page.cause.map(words).unwrap_or_default()) },
    ]
}

/// The selector of the element that a page's bad values are owed to; `None` where no view told one.
async fn element(
    collection: &Collection,
    here: &AtDomain,
    days: DateRange,
    page: &Impact,
) -> Result<Option<String>, StoreError> {
    let views = ChosenViews {
        days,
        filter: ViewFilter::default().of_page(Some(&page.url)),
    };
    let (access, causes) = (&here.access, &collection.causes);
    Ok(match page.metric {
        ImpactMetric::Lcp => {
            let found = causes.lcp_elements(access, &views).await?;
            found.rows.into_iter().find_map(|row| row.element)
        }
        ImpactMetric::Inp => {
            let found = causes.inp_elements(access, &views).await?;
            found.rows.into_iter().find_map(|row| row.element)
        }
        ImpactMetric::Cls => {
            let found = causes.cls_elements(access, &views).await?;
            found.rows.into_iter().find_map(|row| row.element)
        }
    })
}

const fn words(cause: SuspectedCause) -> &'static str {
    match cause {
        SuspectedCause::SlowTtfb => "the server",
        SuspectedCause::LateDiscovery => "a resource that is found late",
        SuspectedCause::SlowResource => "a resource that loads slowly",
        SuspectedCause::RenderDelay => "what keeps it from being painted",
        SuspectedCause::LongInputDelay => "other work before the listeners",
        SuspectedCause::LongProcessing => "the listeners",
        SuspectedCause::LongPresentation => "the next frame",
        SuspectedCause::LateContentShift => "content that comes late",
        SuspectedCause::UnsizedMedia => "media without a size",
    }
}
