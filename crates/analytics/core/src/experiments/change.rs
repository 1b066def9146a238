//! Making an experiment, and changing one.

use pharos_domain::{
    hostname::Hostname,
    patch::{Patch, set},
    settings::{Faults, SettingFault},
};
use time::Date;
use url::Url;

use super::{Design, ExperimentMethod, ExperimentMetric, ExperimentSettings, ExperimentStatus};
use crate::page_path::{whole_path, without_tags};

/// An experiment that is requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExperimentDraft {
    /// A name.
    pub name: String,
    /// The change that the owner expects.
    pub hypothesis: Option<String>,
    /// The comparison. Pages may be addresses.
    pub design: Design,
}

impl ExperimentDraft {
    /// The settings of the experiment, a draft, on a site.
    ///
    /// # Errors
    /// Everything about it that can't be.
    pub fn settings(self, site: &Hostname) -> Result<ExperimentSettings, Vec<SettingFault>> {
        let mut settings = ExperimentSettings {
            name: self.name,
            hypothesis: self.hypothesis,
            status: ExperimentStatus::Draft,
            design: self.design,
        };
        let design = &mut settings.design;
        design.control_urls = paths(&design.control_urls, site, design.metric);
        design.variant_urls = paths(&design.variant_urls, site, design.metric);
        let mut faults = Faults::default();
        settings.check(&mut faults);
        faults.or(|| settings)
    }
}

fn paths(urls: &[String], site: &Hostname, metric: ExperimentMetric) -> Vec<String> {
    urls.iter().map(|url| path(url, site, metric)).collect()
}

/// Path and query of a page. An address at another host stays as it is, so that it is refused. Tags are no part of a page that is
/// visited, while the search may list a page by an address that has some.
fn path(url: &str, site: &Hostname, metric: ExperimentMetric) -> String {
    let is_own = |address: Url| address.host_str().is_some_and(|host| site.covers(host));
    if !url.starts_with('/') && !Url::parse(url).is_ok_and(is_own) {
        return url.to_owned();
    }
    let path = whole_path(url);
    if metric.is_of_search() {
        path
    } else {
        without_tags(&path)
    }
}

/// A change of an experiment. Absent members stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExperimentChange {
    /// The name that it gets.
    pub name: Option<String>,
    /// The change that the owner expects.
    pub hypothesis: Patch<String>,
    /// How far it is.
    pub status: Option<ExperimentStatus>,
    /// How before and after are compared.
    pub method: Option<ExperimentMethod>,
    /// By which metric.
    pub metric: Option<ExperimentMetric>,
    /// The pages that did not change.
    pub control_urls: Option<Vec<String>>,
    /// The pages that did.
    pub variant_urls: Option<Vec<String>>,
    /// The first day before the change.
    pub pre_start: Patch<Date>,
    /// The last.
    pub pre_end: Option<Date>,
    /// The first day after it.
    pub post_start: Option<Date>,
    /// The last.
    pub post_end: Patch<Date>,
}

impl ExperimentChange {
    /// The settings as they are after the change, which is made on a day, on a site.
    ///
    /// # Errors
    /// Everything about it that can't be: what of the design is changed after the draft, a status that does not follow.
    pub fn apply(
        self,
        present: &ExperimentSettings,
        site: &Hostname,
        today: Date,
    ) -> Result<ExperimentSettings, Vec<SettingFault>> {
        let mut next = present.clone();
        let mut faults = Faults::default();
        set(self.name, &mut next.name);
        self.hypothesis.apply(&mut next.hypothesis);
        let design = &mut next.design;
        set(self.method, &mut design.method);
        set(self.metric, &mut design.metric);
        let has_other_metric = design.metric != present.design.metric;
        for (urls, pages) in [
            (self.control_urls, &mut design.control_urls),
            (self.variant_urls, &mut design.variant_urls),
        ] {
            let is_given = urls.is_some();
            set(urls, pages);
            if is_given || has_other_metric {
                *pages = paths(pages, site, design.metric);
            }
        }
        self.pre_start.apply(&mut design.pre_start);
        set(self.pre_end, &mut design.pre_end);
        set(self.post_start, &mut design.post_start);
        self.post_end.apply(&mut design.post_end);
        if present.status != ExperimentStatus::Draft {
            keep_design(&present.design, design, &mut faults);
        }
        if let Some(status) = self.status.filter(|status| *status != present.status_on(today)) {
            if follows(present.status, status) {
                next.status = status;
            } else {
                faults.add("status", why_not(present.status_on(today), status));
            }
        }
        next.check(&mut faults);
        faults.or(|| next)
    }
}

/// Adds each member of the design that is no longer what it was.
fn keep_design(present: &Design, next: &Design, faults: &mut Faults) {
    let members = [
        ("method", present.method != next.method),
        ("primary_metric", present.metric != next.metric),
        ("control_urls", present.control_urls != next.control_urls),
        ("variant_urls", present.variant_urls != next.variant_urls),
        ("pre_start_date", present.pre_start != next.pre_start),
        ("pre_end_date", present.pre_end != next.pre_end),
        ("post_start_date", present.post_start != next.post_start),
        ("post_end_date", present.post_end != next.post_end),
    ];
    for (member, _) in members.into_iter().filter(|(_, is_changed)| *is_changed) {
        faults.add(
            member,
            "changes only while the experiment is a draft; make another one",
        );
    }
}

/// Whether a status may be put after another, both as they are stored.
const fn follows(present: ExperimentStatus, next: ExperimentStatus) -> bool {
    use ExperimentStatus::{Archived, Completed, Draft, Ready, Running};
    match (present, next) {
        (Draft, Running) | (Draft | Running | Ready, Completed | Archived) | (Completed, Archived) => true,
        (_, Draft | Ready | Running) | (Completed | Archived, Completed | Archived) => false,
    }
}

fn why_not(present: ExperimentStatus, next: ExperimentStatus) -> String {
    match next {
        ExperimentStatus::Draft => "nothing becomes a draft again; make another experiment".to_owned(),
        ExperimentStatus::Ready => {
            "an experiment that runs is ready by itself, once there are 14 days after the change, or all of 7 to 13".to_owned()
        }
        ExperimentStatus::Running | ExperimentStatus::Completed | ExperimentStatus::Archived => {
            format!("does not follow on {present}")
        }
    }
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    fn settings(status: ExperimentStatus) -> ExperimentSettings {
        ExperimentSettings {
            name: "Shorter titles".to_owned(),
            hypothesis: None,
            status,
            design: Design {
                method: ExperimentMethod::Did,
                metric: ExperimentMetric::Visitors,
                control_urls: vec!["/a".to_owned()],
                variant_urls: vec!["/b".to_owned()],
                pre_start: None,
                pre_end: date!(2026 - 03 - 01),
                post_start: date!(2026 - 03 - 03),
                post_end: None,
            },
        }
    }

    fn site() -> Hostname {
        "shop.example".parse().unwrap()
    }

    const TODAY: Date = date!(2026 - 03 - 10);

    fn pointers(found: Result<ExperimentSettings, Vec<SettingFault>>) -> Vec<String> {
        let faults = found.err().unwrap_or_default();
        faults.into_iter().map(|fault| fault.pointer).collect()
    }

    #[test]
    fn statuses_follow_as_the_contract_has_them() {
        use ExperimentStatus::{Archived, Completed, Draft, Ready, Running};
        let put = |from, to| {
            let change = ExperimentChange {
                status: Some(to),
                ..ExperimentChange::default()
            };
            change.apply(&settings(from), &site(), TODAY).is_ok()
        };
        for (from, allowed) in [
            (Draft, vec![Draft, Running, Completed, Archived]),
            (Running, vec![Running, Completed, Archived]),
            (Completed, vec![Completed, Archived]),
            (Archived, vec![Archived]),
        ] {
            for to in [Draft, Running, Ready, Completed, Archived] {
                assert_eq!(put(from, to), allowed.contains(&to), "{from} {to}");
            }
        }
    }

    /// 3 to 16 March are 14 days, which are over on the 17th.
    #[test]
    fn one_that_runs_is_ready_after_fourteen_days() {
        let running = settings(ExperimentStatus::Running);
        assert_eq!(
            running.status_on(date!(2026 - 03 - 16)),
            ExperimentStatus::Running
        );
        assert_eq!(running.status_on(date!(2026 - 03 - 17)), ExperimentStatus::Ready);
        let draft = settings(ExperimentStatus::Draft);
        assert_eq!(draft.status_on(date!(2026 - 03 - 17)), ExperimentStatus::Draft);
    }

    /// 3 to 9 March are 7 days, which are over on the 10th; 3 to 8 March are too few.
    #[test]
    fn one_that_ends_sooner_is_ready_with_its_last_day_if_there_are_enough() {
        let ending = |end| {
            let mut running = settings(ExperimentStatus::Running);
            running.design.post_end = Some(end);
            running
        };
        let week = ending(date!(2026 - 03 - 09));
        assert_eq!(week.status_on(date!(2026 - 03 - 09)), ExperimentStatus::Running);
        assert_eq!(week.status_on(date!(2026 - 03 - 10)), ExperimentStatus::Ready);
        let longer = ending(date!(2026 - 03 - 20));
        assert_eq!(longer.status_on(date!(2026 - 03 - 16)), ExperimentStatus::Running);
        assert_eq!(longer.status_on(date!(2026 - 03 - 17)), ExperimentStatus::Ready);
        let short = ending(date!(2026 - 03 - 08));
        assert_eq!(short.status_on(date!(2026 - 04 - 30)), ExperimentStatus::Running);
    }

    #[test]
    fn after_the_draft_each_changed_member_of_the_design_is_told() {
        let change = ExperimentChange {
            name: Some("Longer titles".to_owned()),
            method: Some(ExperimentMethod::Bsts),
            variant_urls: Some(vec!["https://shop.example/b".to_owned()]),
            post_end: Patch::Set(date!(2026 - 04 - 01)),
            ..ExperimentChange::default()
        };
        assert!(
            change
                .clone()
                .apply(&settings(ExperimentStatus::Draft), &site(), TODAY)
                .is_ok()
        );
        let found = change.apply(&settings(ExperimentStatus::Running), &site(), TODAY);
        assert_eq!(pointers(found), ["/method", "/post_end_date"]);
    }

    fn draft_of(metric: ExperimentMetric, url: &str) -> ExperimentDraft {
        let ExperimentSettings { name, design, .. } = settings(ExperimentStatus::Draft);
        ExperimentDraft {
            name,
            hypothesis: None,
            design: Design {
                metric,
                variant_urls: vec![url.to_owned()],
                ..design
            },
        }
    }

    #[test]
    fn a_page_is_of_the_site_or_below_it() {
        for own in ["https://shop.example/x", "http://blog.SHOP.example:7071/x", "/x"] {
            let made = draft_of(ExperimentMetric::Visitors, own).settings(&site());
            assert_eq!(made.unwrap().design.variant_urls, ["/x"], "{own}");
        }
        for foreign in [
            "https://evil.example/x?utm_source=a#f",
            "https://shop.example.evil.example/x",
            "https://shop.example@evil.example/x",
            "https://myshop.example/x",
            "https:///",
        ] {
            let found = draft_of(ExperimentMetric::Visitors, foreign).settings(&site());
            assert_eq!(pointers(found), ["/variant_urls/0"], "{foreign}");
            let change = ExperimentChange {
                control_urls: Some(vec![foreign.to_owned()]),
                ..ExperimentChange::default()
            };
            let found = change.apply(&settings(ExperimentStatus::Draft), &site(), TODAY);
            assert_eq!(pointers(found), ["/control_urls/0"], "{foreign}");
        }
    }

    #[test]
    fn tags_are_taken_out_of_pages_unless_the_search_lists_them_with_tags() {
        let tagged = "https://shop.example/x?utm_source=a&page=2#f";
        for (metric, expected) in [
            (ExperimentMetric::Visitors, "/x?page=2"),
            (ExperimentMetric::GscClicks, "/x?utm_source=a&page=2"),
        ] {
            let made = draft_of(metric, tagged).settings(&site()).unwrap();
            assert_eq!(made.design.variant_urls, [expected]);
            let change = ExperimentChange {
                metric: Some(ExperimentMetric::Orders),
                ..ExperimentChange::default()
            };
            let changed = change.apply(&made, &site(), TODAY).unwrap();
            assert_eq!(changed.design.variant_urls, ["/x?page=2"], "{metric}");
        }
    }

    #[test]
    fn a_name_changes_in_whatever_form_pages_were_stored() {
        let mut running = settings(ExperimentStatus::Running);
        running.design.variant_urls = vec!["/café".to_owned()];
        let change = ExperimentChange {
            name: Some("Other".to_owned()),
            ..ExperimentChange::default()
        };
        let changed = change.apply(&running, &site(), TODAY).unwrap();
        assert_eq!(changed.design, running.design);
    }

    #[test]
    fn all_that_cannot_be_is_told_at_once() {
        let draft = ExperimentDraft {
            name: String::new(),
            hypothesis: None,
            design: Design {
                control_urls: vec!["/a".to_owned(), "nowhere".to_owned()],
                variant_urls: vec!["http://shop.example/a#top".to_owned()],
                pre_start: Some(date!(2026 - 03 - 02)),
                post_start: date!(2026 - 03 - 01),
                post_end: Some(date!(2026 - 02 - 01)),
                ..settings(ExperimentStatus::Draft).design
            },
        };
        let expected = [
            "/name",
            "/control_urls/1",
            "/variant_urls/0",
            "/pre_start_date",
            "/post_start_date",
            "/post_end_date",
        ];
        assert_eq!(pointers(draft.settings(&site())), expected);
    }
}
