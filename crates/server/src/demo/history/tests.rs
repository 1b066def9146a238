use std::collections::BTreeSet;

use pharos_domain::collect::{
    event::{Action, CommerceStep},
    view::{ErrorSource, Navigation, Resource},
};
use pharos_vitals::{providers::is_third_party, slices::Supported};
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
        for told in [
            content.connection.is_some(),
            content.rtt_ms.is_some(),
            content.device_memory.is_some(),
            content.long_frames.is_some(),
        ] {
            assert_eq!(told, is_chrome, "{client:?}");
        }
        assert!(content.not_restored.is_none() || is_chrome, "{client:?}");
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
fn the_chat_and_the_stock_fail_from_the_newest_release_on() {
    let [_, (_, newest)] = released(NOW);
    let (mut failed, mut busy, mut asked) = (0, 0, 0);
    for (_, _, views) in days() {
        for Beacon { content, .. } in views {
            assert!(content.errors.is_empty() || content.at >= newest, "{content:?}");
            let told = |source: ErrorSource| {
                content
                    .errors
                    .iter()
                    .filter(|error| error.source == source)
                    .count()
            };
            let is_dead = content.engagement.dead_clicks == Some(1);
            assert_eq!(told(ErrorSource::Source), usize::from(is_dead));
            failed += told(ErrorSource::Source);
            let of_stock = content
                .resources
                .iter()
                .filter(|of| of.url.ends_with("/api/stock"));
            let statuses: Vec<_> = of_stock.map(|of| of.status).collect();
            let unanswered = statuses.iter().filter(|status| **status == Some(503)).count();
            assert_eq!(told(ErrorSource::Network), unanswered, "{content:?}");
            busy += unanswered;
            asked += statuses.len();
        }
    }
    assert!(failed > 20, "{failed} views");
    assert!(busy > 20 && busy * 20 < asked, "{busy} of {asked} requests");
}

/// The rows of a view are as many as it has resources, frames and scripts: the bounds keep the time that the history takes.
#[test]
fn views_load_what_the_pages_have_and_those_of_the_slow_release_more() {
    let (mut resources, mut frames) = (0, 0);
    let mut scripts = [Vec::new(), Vec::new()];
    let mut blocked = [Vec::new(), Vec::new()];
    for (ago, _, views) in days() {
        let is_slow = usize::from((15..=20).contains(&ago));
        for Beacon { content, .. } in views {
            resources += content.resources.len();
            frames += content.long_frames.as_ref().map_or(0, Vec::len);
            if content.navigation == Navigation::BackForwardCache {
                assert!(content.resources.is_empty(), "{content:?}");
                continue;
            }
            let find = |end: &str| content.resources.iter().find(|of| of.url.ends_with(end));
            let (script, tag) = (find("/shop.js").unwrap(), find("/tag.js").unwrap());
            scripts[is_slow].push(f64::from(script.phases.unwrap().transfer_bytes));
            assert!(is_third_party(&tag.url, &content.host) && tag.phases.is_none());
            let is_ours = |of: &&Resource| !is_third_party(&of.url, &content.host);
            assert_eq!(
                content.resources.iter().filter(is_ours).count() + 1,
                content.resources.len()
            );

            // The picture that the largest paint is of took as long as the paint waited for it.
            let cause = &content.cause.lcp;
            let hero = find("/pictures/hero.svg");
            assert_eq!(hero.map(|of| &of.url), cause.resource_url.as_ref());
            assert_eq!(hero.map(|of| of.duration_ms), cause.load_duration_ms);

            let Some(told) = &content.long_frames else {
                continue;
            };
            let ran = |end: &str| {
                let mut scripts = told.iter().flat_map(|frame| &frame.scripts);
                scripts.any(|script| script.url.as_deref().is_some_and(|url| url.ends_with(end)))
            };
            assert!(ran("/tag.js"), "{content:?}");
            let clicked = content.cause.inp.longest_script.is_some();
            assert_eq!(ran("/shop.js"), is_slow == 1 || clicked, "{content:?}");
            assert!(told.iter().all(|frame| frame.duration_ms > 50.0), "{told:?}");
            blocked[is_slow].push(told.iter().map(|frame| frame.blocking_ms).sum::<f64>());
        }
    }
    assert!((150_000..320_000).contains(&resources), "{resources} resources");
    assert!((10_000..40_000).contains(&frames), "{frames} frames");
    let [usual, slow] = scripts.map(|bytes| mean(bytes.into_iter()));
    assert!(slow > 100.0 * usual, "{slow} against {usual} bytes");
    let [usual, slow] = blocked.map(|times| mean(times.into_iter()));
    assert!(slow > 2.0 * usual, "{slow} against {usual} ms");
}

#[test]
fn visitors_who_go_back_find_most_pages_as_they_left_them_but_those_of_the_slow_release() {
    let (mut restored, mut again, mut reasons) = ([0; 2], [0; 2], BTreeSet::new());
    for (ago, _, views) in days() {
        let is_slow = usize::from((15..=20).contains(&ago));
        for Beacon { content, .. } in views {
            let is_restored = content.navigation == Navigation::BackForwardCache;
            restored[is_slow] += usize::from(is_restored);
            again[is_slow] += usize::from(content.navigation == Navigation::BackForward);
            assert!(!is_restored || content.ttfb_ms == Some(0.0), "{content:?}");
            let told = content.not_restored.unwrap_or_default();
            assert!(told.is_empty() || content.navigation == Navigation::BackForward);
            for reason in told {
                let is_listener = reason.reason == "unload-listener";
                assert!(is_slow == 1 || !is_listener, "{reason:?}");
                reasons.insert(reason.reason);
            }
        }
    }
    assert!(restored[0] > 2 * again[0], "{restored:?} of {again:?}");
    assert!(
        restored[1] < again[1] && restored[1] > 0,
        "{restored:?} of {again:?}"
    );
    let wanted = ["masked", "response-cache-control-no-store", "unload-listener"];
    assert_eq!(reasons, BTreeSet::from(wanted.map(str::to_owned)));
}
