//! The fields of an experiment. They are called as the API calls its members.

use maud::{Markup, html};
use pharos_analytics::experiments::{
    Design, ExperimentDraft, ExperimentMethod, ExperimentMetric, ExperimentSettings,
};
use pharos_domain::{
    day::Day,
    hostname::Hostname,
    settings::{Faults as Judge, SettingFault},
};
use pharos_reporting::render::labels::word;
use time::Date;

use crate::{
    domain::settings::entries::{lines, tell},
    form::Form,
    parts::form::{Faults, Field},
    refusal::Refusal,
};

/// The fields as they are typed.
#[derive(Default)]
pub(super) struct Typed {
    name: String,
    hypothesis: String,
    method: String,
    primary_metric: String,
    variant_urls: String,
    control_urls: String,
    pre_start_date: String,
    pre_end_date: String,
    post_start_date: String,
    post_end_date: String,
}

impl Typed {
    pub(super) fn sent(sent: &Form) -> Self {
        let line = |name: &str| sent.one(name).trim().to_owned();
        Self {
            name: line("name"),
            hypothesis: line("hypothesis"),
            method: line("method"),
            primary_metric: line("primary_metric"),
            variant_urls: sent.one("variant_urls").to_owned(),
            control_urls: sent.one("control_urls").to_owned(),
            pre_start_date: line("pre_start_date"),
            pre_end_date: line("pre_end_date"),
            post_start_date: line("post_start_date"),
            post_end_date: line("post_end_date"),
        }
    }

    /// The settings, by the rules of the API, or all that is wrong with the fields.
    pub(super) fn settings(&self, site: &Hostname) -> Result<Result<ExperimentSettings, Faults>, Refusal> {
        let method: ExperimentMethod = self.method.parse().map_err(|_| Refusal::NoForm)?;
        let metric: ExperimentMetric = self.primary_metric.parse().map_err(|_| Refusal::NoForm)?;
        Ok(self.judged(method, metric, site).map_err(|found| {
            let mut faults = Faults::default();
            tell("", found, &mut faults);
            faults
        }))
    }

    /// The same, of days first whether they are any.
    fn judged(
        &self,
        method: ExperimentMethod,
        metric: ExperimentMetric,
        site: &Hostname,
    ) -> Result<ExperimentSettings, Vec<SettingFault>> {
        let mut judge = Judge::default();
        let mut read = |member: &str, text: &str| day(member, text, &mut judge);
        let design = Design {
            method,
            metric,
            control_urls: lines(&self.control_urls),
            variant_urls: lines(&self.variant_urls),
            pre_start: given(&self.pre_start_date).map(|text| read("pre_start_date", text)),
            pre_end: read("pre_end_date", &self.pre_end_date),
            post_start: read("post_start_date", &self.post_start_date),
            post_end: given(&self.post_end_date).map(|text| read("post_end_date", text)),
        };
        judge.or(|| ())?;
        let draft = ExperimentDraft {
            name: self.name.clone(),
            hypothesis: given(&self.hypothesis).map(str::to_owned),
            design,
        };
        draft.settings(site)
    }

    pub(super) fn fields(&self, faults: &Faults) -> Markup {
        let metrics: Vec<(&str, String)> = ExperimentMetric::ALL
            .iter()
            .map(|metric| (metric.as_str(), word(metric.as_str())))
            .collect();
        let metrics = metrics.iter().map(|(name, shown)| (*name, shown.as_str()));
        let methods: Vec<(&str, String)> = ExperimentMethod::ALL
            .iter()
            .map(|method| (method.as_str(), word(method.as_str())))
            .collect();
        let methods = methods.iter().map(|(name, shown)| (*name, shown.as_str()));
        html! {
            (Field::new("name", "Name", &self.name).max(200).faults(faults).line())
            (Field::new("hypothesis", "Expectation", &self.hypothesis).optional().max(2_000).faults(faults).area(2))
            (Field::new("primary_metric", "Metric", &self.primary_metric).faults(faults)
                .hint("Those of search take a property of Search Console, whose days are final two to three days later.")
                .select(metrics))
            (Field::new("method", "Compare", &self.method).faults(faults).select(methods))
            (Field::new("variant_urls", "Pages that changed", &self.variant_urls).faults(faults)
                .hint("Paths or addresses of the domain, one a line, 50 at most.").area(3))
            (Field::new("control_urls", "Pages that did not", &self.control_urls).optional().faults(faults)
                .hint("Similar ones. Only to compare days alone takes none.").area(3))
            (date("pre_start_date", "First day before the change", &self.pre_start_date, faults).optional()
                .hint("UTC. Left empty, 55 days before the last.").line())
            (date("pre_end_date", "Last day before the change", &self.pre_end_date, faults).line())
            (date("post_start_date", "First day after the change", &self.post_start_date, faults)
                .hint("Days between are left out.").line())
            (date("post_end_date", "Last day after the change", &self.post_end_date, faults).optional()
                .hint("Left empty, as far as there is data.").line())
        }
    }
}

fn date<'a>(name: &'a str, label: &'a str, value: &'a str, faults: &'a Faults) -> Field<'a> {
    Field::new(name, label, value).kind("date").faults(faults)
}

/// A text that may be left empty.
fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// A day; where it is none that is a fault, and some day stands for it while the others are looked for.
fn day(member: &str, text: &str, judge: &mut Judge) -> Date {
    match text.parse::<Day>() {
        Ok(Day(day)) => day,
        Err(error) => {
            judge.add(member, error.to_string());
            Date::MIN
        }
    }
}
