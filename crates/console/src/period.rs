//! The days that a page is about, as its address says them: the parameters of the API.

use maud::{Markup, html};
use pharos_domain::{
    day::Day,
    module::Module,
    window::{CompareMode, Comparison, DateRange, Horizon, Period, ResolvedWindow, WindowQuery},
};
use time::OffsetDateTime;

use crate::{parts::notice, query::in_query, sentence::labelled};

/// How many days a page shows that is asked for none that there are.
const USUAL: u16 = 30;

/// The days of a page, and those that they are compared with.
pub(crate) struct Days {
    pub(crate) asked: ResolvedWindow,
    /// `None`: the page compares with nothing.
    pub(crate) compared: Option<Comparison>,
    /// The faults of the address. With any of them, the page shows its usual days.
    pub(crate) faults: Vec<String>,
    period: Option<String>,
    start: String,
    end: String,
    mode: Option<CompareMode>,
}

impl Days {
    /// The days of a query, of data of a module.
    pub(crate) fn of(module: Module, query: &str, now: OffsetDateTime) -> Self {
        let horizon = Horizon::of(module, now);
        let given = |name| in_query(query, name).filter(|value| !value.is_empty());
        let [days, start, end, period] = ["period_days", "start_date", "end_date", "period"].map(given);
        let window = WindowQuery {
            period_days: days.as_deref(),
            start_date: start.as_deref(),
            end_date: end.as_deref(),
            period: period.as_deref(),
        };
        let mut faults = Vec::new();
        let resolved = window.resolve(&horizon);
        if let Err(found) = &resolved {
            faults.extend(
                found
                    .iter()
                    .map(|fault| labelled(label(fault.parameter), &fault.detail)),
            );
        }
        let mode = given("compare_mode").and_then(|mode| match mode.parse() {
            Ok(mode) => Some(mode),
            Err(_) => {
                faults.push(labelled("Compared with", "previous_period or calendar_month"));
                None
            }
        });
        let asked = resolved.ok().filter(|_| faults.is_empty());
        let asked = asked.unwrap_or_else(|| ResolvedWindow::fixed(USUAL, &horizon));
        // Where figures come late the usual days end earlier than those that the period names.
        let is_usual_named = horizon.default_end == horizon.today;
        let is_compared = given("compare_previous").is_some_and(|is| is == "true");
        Self {
            compared: is_compared.then(|| asked.comparison(mode)),
            asked,
            faults,
            period: period.or_else(|| {
                let is_unasked = start.is_none() && end.is_none() && days.is_none();
                (is_unasked && is_usual_named).then(|| "last_30_days".to_owned())
            }),
            start: start.unwrap_or_default(),
            end: end.unwrap_or_default(),
            mode,
        }
    }

    /// The window.
    pub(crate) fn window(&self) -> DateRange {
        self.asked.window
    }

    /// Its first moment, or that of the days that it is compared with.
    pub(crate) fn since(&self) -> OffsetDateTime {
        let compared = self.compared.map(|compared| compared.window.start());
        compared.map_or(self.window().start(), |compared| {
            compared.min(self.window().start())
        })
    }

    /// The days as an address asks for them, for links to pages that are about the same.
    pub(crate) fn query(&self) -> String {
        let compare = self.compare();
        match &self.period {
            Some(period) if self.faults.is_empty() => format!("period={period}{compare}"),
            _ => {
                let (first, last) = (self.window().first(), self.window().last());
                format!("start_date={first}&end_date={last}{compare}")
            }
        }
    }

    fn compare(&self) -> String {
        match (self.compared, self.mode) {
            (None, _) => String::new(),
            (Some(_), None) => "&compare_previous=true".to_owned(),
            (Some(_), Some(mode)) => format!("&compare_previous=true&compare_mode={mode}"),
        }
    }

    /// The choice of days, for a page at this path.
    pub(crate) fn choice(&self, path: &str) -> Markup {
        self.choice_keeping(path, &[])
    }

    /// The same for a page whose address has these parameters besides, which each choice keeps.
    pub(crate) fn choice_keeping(&self, path: &str, kept: &[(&str, &str)]) -> Markup {
        let comparison = html! {
            label for="compare" { "compared with" }
            select id="compare" name="compare_previous" {
                option value="" selected[self.compared.is_none()] { "nothing" }
                option value="true" selected[self.compared.is_some()] { "the days before" }
            }
        };
        self.offered(path, kept, &comparison)
    }

    /// The same for a page that compares its days with none. It keeps how other pages compare, and offers no choice of it.
    pub(crate) fn choice_alone(&self, path: &str, kept: &[(&str, &str)]) -> Markup {
        let kept_comparison = html! {
            @if self.compared.is_some() { input type="hidden" name="compare_previous" value="true"; }
        };
        self.offered(path, kept, &kept_comparison)
    }

    fn offered(&self, path: &str, kept: &[(&str, &str)], comparison: &Markup) -> Markup {
        let shown = [
            (Period::Last7Days, "7 days"),
            (Period::Last30Days, "30 days"),
            (Period::Last90Days, "90 days"),
            (Period::ThisMonth, "This month"),
            (Period::LastMonth, "Last month"),
        ];
        let compare = self.compare();
        let (first, last) = (Day(self.window().first()), Day(self.window().last()));
        let besides = and(kept);
        html! {
            @if !self.faults.is_empty() {
                div.fault role="alert" {
                    p { "The address asks for days that there are not. Shown are the last " (USUAL) "." }
                    ul { @for fault in &self.faults { li { (fault) } } }
                }
            }
            @if let Some(asked) = self.asked.clamped_from {
                (notice::hint(&html! { p { "The address asks for days from " (day(asked)) " on. What is older is not kept, so they begin with " (day(first.0)) "." } }))
            }
            div.range {
                @for (period, label) in shown {
                    @let is_current = self.faults.is_empty() && self.period.as_deref() == Some(period.as_str());
                    a href={ (path) "?period=" (period) (compare) (besides) } aria-current=[is_current.then_some("true")] { (label) }
                }
                form method="get" action=(path) {
                    @for (name, value) in kept { input type="hidden" name=(name) value=(value); }
                    label for="start_date" { "From" }
                    input id="start_date" name="start_date" type="date" value=(first_or(&self.start, first));
                    label for="end_date" { "to" }
                    input id="end_date" name="end_date" type="date" value=(first_or(&self.end, last));
                    (comparison)
                    @if let Some(mode) = self.mode { input type="hidden" name="compare_mode" value=(mode); }
                    button.quiet type="submit" { "Show" }
                }
            }
        }
    }
}

/// A parameter by the label of its choice.
fn label(parameter: &str) -> &'static str {
    match parameter {
        "start_date" => "From",
        "end_date" => "To",
        "period_days" => "Days",
        _ => "Period",
    }
}

/// Parameters behind those that an address has already.
pub(crate) fn and(parameters: &[(&str, &str)]) -> String {
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    match pairs.extend_pairs(parameters).finish() {
        pairs if pairs.is_empty() => pairs,
        pairs => format!("&{pairs}"),
    }
}

fn first_or(given: &str, day: Day) -> String {
    match given.parse::<Day>() {
        Ok(_) => given.to_owned(),
        Err(_) => day.0.to_string(),
    }
}

/// A day in words.
pub(crate) fn day(date: time::Date) -> String {
    format!("{} {} {}", date.day(), date.month(), date.year())
}

/// The same in fewer letters, for axes: `12 Mar`.
pub(crate) fn short_day(date: time::Date) -> String {
    let month = date.month().to_string();
    format!("{} {}", date.day(), month.get(..3).unwrap_or(&month))
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15 UTC);

    #[test]
    fn the_links_of_a_page_keep_its_days_and_how_they_are_compared() {
        let chosen = "&compare_previous=true&compare_mode=calendar_month";
        for days in ["period=last_7_days", "start_date=2026-03-02&end_date=2026-03-05"] {
            let page = Days::of(Module::Uptime, &format!("{days}{chosen}"), NOW);
            assert_eq!(page.query(), format!("{days}{chosen}"));
            let again = Days::of(Module::Uptime, &page.query(), NOW);
            assert_eq!(again.compared, page.compared);
            let choice = page.choice("/console").into_string();
            let kept = format!("?period=last_30_days{}", chosen.replace('&', "&amp;"));
            assert!(choice.contains(&kept), "{choice}");
        }
    }

    #[test]
    fn a_page_that_compares_nothing_offers_no_comparison_and_keeps_that_of_others() {
        let page = |query| {
            let days = Days::of(Module::Uptime, query, NOW);
            days.choice_alone("/console", &[("kept", "this")]).into_string()
        };
        let compared = page("period=last_7_days&compare_previous=true");
        assert!(!compared.contains("compared with"), "{compared}");
        for part in [
            r#"<input type="hidden" name="compare_previous" value="true">"#,
            r#"<input type="hidden" name="kept" value="this">"#,
            "period=last_30_days&amp;compare_previous=true&amp;kept=this",
        ] {
            assert!(compared.contains(part), "{part} is not in {compared}");
        }
        assert!(!page("period=last_7_days").contains("compare_previous"));
    }

    #[test]
    fn links_of_a_page_that_is_asked_for_no_days_lead_to_the_days_that_it_shows() {
        for (module, query) in [
            (Module::Uptime, "period=last_30_days"),
            (Module::Gsc, "start_date=2026-02-28&end_date=2026-03-29"),
        ] {
            let page = Days::of(module, "", NOW);
            assert_eq!(page.query(), query);
            assert_eq!(Days::of(module, query, NOW).window(), page.window());
            let is_named = module == Module::Uptime;
            let choice = page.choice("/console").into_string();
            assert_eq!(choice.contains("aria-current=\"true\""), is_named, "{choice}");
        }
    }

    #[test]
    fn links_name_no_way_to_compare_that_nobody_chose() {
        let query = |query| Days::of(Module::Uptime, query, NOW).query();
        assert_eq!(
            query("period=this_month&compare_previous=true"),
            "period=this_month&compare_previous=true"
        );
        assert_eq!(
            query("period=last_7_days&compare_mode=calendar_month"),
            "period=last_7_days"
        );
    }
}
