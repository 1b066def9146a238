use std::collections::BTreeSet;

use pharos_domain::collect::event::{Action, CommerceStep};
use pharos_vitals::slices::Supported;
use time::macros::datetime;

use super::*;
use crate::demo::{
    shop::goods::{GOODS, retitled},
    site::SHOPS,
};

/// A Tuesday.
const NOW: OffsetDateTime = datetime!(2026-11-24 18:00 UTC);

/// How many days ago it was, its visits and its views.
type PastDay = (u16, Vec<Beacon<Events>>, Vec<Beacon<View>>);

fn days() -> Vec<PastDay> {
    let domain = DomainId(uuid::Uuid::nil());
    (0..=DAYS)
        .map(|ago| {
            let date = (NOW - Duration::days(ago.into())).date();
            let (visits, views) = day(domain, SHOPS[0].host, Day { date, ago }, NOW);
            (ago, visits, views)
        })
        .collect()
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    #[expect(clippy::cast_precision_loss, reason = "some thousands")]
    let count = values.len() as f64;
    values.iter().sum::<f64>() / count
}

#[test]
fn the_same_day_has_the_same_history() {
    assert_eq!(days(), days());
}

#[test]
fn beacons_have_ids_of_their_own_and_lie_within_their_day() {
    let mut ids = BTreeSet::new();
    for (ago, visits, views) in days() {
        let date = (NOW - Duration::days(ago.into())).date();
        for visit in &visits {
            assert!(ids.insert(visit.id));
            let mut moments = visit.content.0.iter().map(|event| event.at);
            assert!(moments.all(|at| at.date() == date && at <= NOW));
        }
        assert!(views.iter().all(|view| ids.insert(view.id)));
    }
}

#[test]
fn weeks_have_a_shape_and_what_happened_shows() {
    let days = days();
    let visits = |wanted: &dyn Fn(u16) -> bool| {
        #[expect(clippy::cast_precision_loss, reason = "some hundreds")]
        mean(
            days.iter()
                .filter(|(ago, _, _)| wanted(*ago))
                .map(|(_, visits, _)| visits.len() as f64),
        )
    };
    // Two days before a Tuesday was a Sunday; today and the days of the campaign are apart.
    let is_weekend = |ago: u16| ago % 7 == 2 || ago % 7 == 3;
    let usual = |ago: u16| ago > 0 && !(54..=60).contains(&ago) && ago != 33;
    let weekend = visits(&|ago| usual(ago) && is_weekend(ago));
    let workday = visits(&|ago| usual(ago) && !is_weekend(ago));
    assert!(weekend < 0.75 * workday, "{weekend} against {workday}");
    assert!(visits(&|ago| (54..=60).contains(&ago)) > 1.25 * visits(&|ago| (61..=67).contains(&ago)));

    let hour = |ago: u16, hour: u8| {
        let (_, visits, _) = &days[usize::from(ago)];
        let begun = visits.iter().map(|visit| visit.content.0[0].at.hour());
        begun.filter(|begun| *begun == hour).count()
    };
    assert_eq!((10..=12).map(|at| hour(33, at)).sum::<usize>(), 0);
    assert!((10..=12).all(|at| hour(26, at) > 0));

    let lcp = |from: u16, to: u16| {
        let views = days.iter().filter(|(ago, _, _)| (from..=to).contains(ago));
        mean(views.flat_map(|(_, _, views)| views.iter().filter_map(|view| view.content.lcp_ms)))
    };
    assert!(lcp(15, 20) > 1.7 * lcp(22, 27));

    let sales: BTreeSet<String> = days
        .iter()
        .flat_map(|(_, visits, _)| visits.iter().flat_map(|visit| &visit.content.0))
        .filter_map(|event| match &event.action {
            Action::Custom {
                commerce: Some(commerce),
                ..
            } if commerce.step == CommerceStep::Purchase => commerce.order_id.clone(),
            _ => None,
        })
        .collect();
    assert!(sales.len() > 500, "{} orders", sales.len());
}

/// Each mean is of 28 days: before the title was made shorter, and from then on. Today is left out, since it is not over.
#[test]
fn a_shorter_title_brings_more_visitors_to_its_product_and_to_no_other() {
    let days = days();
    let viewers = |good: &str, from: u16, to: u16| {
        let page = format!("/product/{good}");
        let saw = |visit: &Beacon<Events>| {
            let mut events = visit.content.0.iter();
            events.any(|event| event.action == Action::PageView && event.page.path == page)
        };
        #[expect(clippy::cast_precision_loss, reason = "some dozens")]
        mean(
            days.iter()
                .filter(|(ago, _, _)| (from..=to).contains(ago))
                .map(|(_, visits, _)| visits.iter().filter(|visit| saw(visit)).count() as f64),
        )
    };
    for good in &GOODS {
        let more = viewers(good.id, 1, RETITLED) - viewers(good.id, RETITLED + 1, 2 * RETITLED);
        let is_retitled = good.id == retitled().id;
        assert_eq!(more > 10.0, is_retitled, "{}: {more}", good.id);
    }
}

#[test]
fn the_slow_days_begin_with_a_release_and_end_with_the_next() {
    let [(_, slow), (_, back)] = released(NOW);
    for ago in 0..=DAYS {
        let date = (NOW - Duration::days(ago.into())).date();
        let is_between = (slow.date()..back.date()).contains(&date);
        assert_eq!(Day { date, ago }.is_slow(), is_between, "{date}");
    }
}

#[test]
fn views_tell_what_their_browsers_can_measure_and_nothing_else() {
    let views = days().into_iter().flat_map(|(_, _, views)| views);
    let mut browsers = BTreeSet::new();
    for Beacon { client, content, .. } in views {
        let [browser, version, os] =
            [&client.browser, &client.browser_version, &client.os].map(Option::as_deref);
        let supported = Supported::of(browser, version, os);
        assert_eq!(content.lcp_ms.is_some(), supported.lcp, "{client:?}");
        assert_eq!(content.cls.is_some(), supported.cls, "{client:?}");
        assert!(supported.inp || content.inp_ms.is_none(), "{client:?}");
        let is_chrome = browser == Some("Chrome");
        assert_eq!(content.connection.is_some(), is_chrome, "{client:?}");
        browsers.insert(client.browser);
    }
    assert_eq!(browsers.len(), 3);
}

/// Whole milliseconds, so that sums are exact.
#[test]
fn the_parts_of_a_metric_add_up_to_it() {
    let views = days().into_iter().flat_map(|(_, _, views)| views);
    let total = |parts: &[Option<f64>]| parts.iter().flatten().sum::<f64>();
    let (mut shifts, mut scripts) = (0, 0);
    for Beacon { content, .. } in views {
        let (lcp, inp, ttfb) = (&content.cause.lcp, &content.cause.inp, &content.cause.ttfb);
        let sums = [
            total(&[
                lcp.ttfb_ms,
                lcp.load_delay_ms,
                lcp.load_duration_ms,
                lcp.render_delay_ms,
            ]),
            total(&[inp.input_delay_ms, inp.processing_ms, inp.presentation_ms]),
            total(&[
                ttfb.waiting_ms,
                ttfb.cache_ms,
                ttfb.dns_ms,
                ttfb.connection_ms,
                ttfb.request_ms,
            ]),
        ];
        let measured = [content.lcp_ms, content.inp_ms, content.ttfb_ms].map(Option::unwrap_or_default);
        for (sum, measured) in sums.iter().zip(measured) {
            assert!((sum - measured).abs() < 1e-6, "{content:?}");
        }
        assert!(
            content
                .cause
                .cls
                .shift
                .is_none_or(|shift| Some(shift) == content.cls)
        );
        assert!(content.engagement.visible_ms.is_some(), "{content:?}");
        shifts += usize::from(content.cause.cls.shift.is_some());
        scripts += usize::from(content.cause.inp.longest_script.is_some());
    }
    assert!(
        shifts > 1_000 && scripts > 100,
        "{shifts} shifts, {scripts} scripts"
    );
}

#[test]
fn the_chat_fails_from_the_newest_release_on() {
    let [_, (_, newest)] = released(NOW);
    let mut failed = 0;
    for (_, _, views) in days() {
        for Beacon { content, .. } in views {
            assert!(content.errors.is_empty() || content.at >= newest, "{content:?}");
            let is_dead = content.engagement.dead_clicks == Some(1);
            assert_eq!(content.errors.len(), usize::from(is_dead));
            failed += content.errors.len();
        }
    }
    assert!(failed > 20, "{failed} views");
}
