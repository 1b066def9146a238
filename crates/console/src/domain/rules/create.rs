//! A new alert rule: first its metric, then its condition.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_alerting::{rule::RuleDraft, severity::Severity};
use pharos_domain::{
    alert_metric::{
        AlertMetric, AlertModule, AlertOperator, ComparisonWindow, FormFactor, SearchType, SupportedFilters,
    },
    module::Module,
};
use serde_json::json;

use super::{CHANGERS, changer, compared, looked_at, path};
use crate::{
    console::Console,
    domain::{
        frame, named,
        settings::{Changed, at_fields, changed, judged},
    },
    enter::AtDomain,
    form::{Form, in_query},
    page::go,
    parts::form::{Faults, Field},
    refusal::Refusal,
};

/// The fields that people fill, by their names at the API.
const FIELDS: [&str; 10] = [
    "name",
    "operator",
    "threshold_value",
    "comparison_window",
    "evaluation_window",
    "severity",
    "cooldown_minutes",
    "url",
    "form_factor",
    "search_type",
];

/// What stands in the fields.
struct Typed(Vec<(&'static str, String)>);

impl Typed {
    /// The condition that a rule of the metric has if it names none.
    fn begin(metric: &AlertMetric) -> Self {
        let default = &metric.default;
        let window = default.comparison_window.map(ComparisonWindow::as_str);
        Self(vec![
            ("operator", default.operator.as_str().to_owned()),
            ("threshold_value", default.threshold.to_string()),
            ("comparison_window", window.unwrap_or_default().to_owned()),
            ("evaluation_window", metric.default_window().as_str().to_owned()),
            ("severity", Severity::Warning.as_str().to_owned()),
            ("cooldown_minutes", default.cooldown_minutes.to_string()),
        ])
    }

    fn sent(form: &Form) -> Self {
        let sent = FIELDS
            .iter()
            .map(|name| (*name, form.one(name).trim().to_owned()));
        Self(sent.collect())
    }

    fn one(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    fn filled(&self, name: &str) -> Option<String> {
        Some(self.one(name))
            .filter(|value| !value.is_empty())
            .map(str::to_owned)
    }

    /// One of a choice, or none: no browser sends anything else.
    fn chosen<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Refusal> {
        let value = self.filled(name).map(|value| value.parse::<T>());
        value.transpose().map_err(|_| Refusal::NoForm)
    }

    /// The rule that they ask for; a number that is none is a fault.
    fn draft(
        &self,
        module: AlertModule,
        metric: &AlertMetric,
        faults: &mut Faults,
    ) -> Result<RuleDraft, Refusal> {
        let threshold = self.filled("threshold_value").map(|text| text.parse::<f64>());
        let threshold = threshold.transpose().unwrap_or_else(|_| {
            faults.add("threshold_value", "A number, such as 2 or 99.9.");
            None
        });
        let cooldown = self.filled("cooldown_minutes").map(|text| text.parse::<u32>());
        let cooldown_minutes = cooldown.transpose().unwrap_or_else(|_| {
            faults.add("cooldown_minutes", "A whole number of minutes.");
            None
        });
        let operator: AlertOperator = self.chosen("operator")?.ok_or(Refusal::NoForm)?;
        // It stands there for the operators that look at the past.
        let comparison_window = self.chosen("comparison_window")?.filter(|_| operator.compares());
        Ok(RuleDraft {
            name: self.filled("name"),
            module,
            metric: metric.name.to_owned(),
            operator,
            threshold,
            comparison_window,
            evaluation_window: self.chosen("evaluation_window")?,
            min_sample: None,
            url: self.filled("url"),
            form_factor: self.chosen("form_factor")?,
            search_type: self.chosen("search_type")?,
            severity: self.chosen("severity")?,
            enabled: None,
            cooldown_minutes,
        })
    }
}

/// GET /console/domains/{domain_id}/alerts/new?module=…&metric=…: without a metric it asks for one.
pub(crate) async fn ask(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.at_domain(&request, &id, CHANGERS).await?;
    here.needs(Module::Alerts)?;
    let query = |name| in_query(request.query_string(), name).unwrap_or_default();
    let domain = named(&console, &here).await?;
    let content = match found(&console, &here, &query("module"), &query("metric")) {
        Some((module, metric)) => form(&here, module, metric, &Typed::begin(metric), &Faults::default()),
        None => metrics(&console, &here),
    };
    Ok(frame(&here, &domain.title, super::PATH).with(&content))
}

/// POST /console/domains/{domain_id}/alerts/new
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let here = changer(&console, &request, &id, &sent).await?;
    here.writable()?;
    let (module, metric) =
        found(&console, &here, sent.one("module"), sent.one("metric")).ok_or(Refusal::NoForm)?;
    let (typed, mut faults) = (Typed::sent(&sent), Faults::default());
    let draft = typed.draft(module, metric, &mut faults)?;
    let settings = match draft.settings(&console.parts.alert_metrics) {
        Ok(settings) if faults.is_empty() => settings,
        Ok(_) => return again(&console, &here, (module, metric), &typed, &faults).await,
        Err(found) => {
            for (field, why) in at_fields(found) {
                // A number that is none is said to be none, and not to be missing.
                if faults.of(&field).is_none() {
                    faults.add(field, why);
                }
            }
            return again(&console, &here, (module, metric), &typed, &faults).await;
        }
    };
    let details = json!({
        "rule": settings.name,
        "metric": settings.metric,
        "operator": settings.operator,
        "threshold_value": settings.threshold,
    });
    let noted = changed(&console, &here, Module::Alerts, details);
    let made = console
        .parts
        .rules
        .create(&noted, &settings, console.parts.clock.now())
        .await;
    if let Changed::Faulty(faults) = judged(made)? {
        return again(&console, &here, (module, metric), &typed, &faults).await;
    }
    console.parts.answers.outdated(here.id(), Module::Alerts).await;
    Ok(go(&format!("{}?made", path(&here))))
}

/// A metric that rules may watch, of a module of the plan.
fn found(
    console: &Console,
    here: &AtDomain,
    module: &str,
    metric: &str,
) -> Option<(AlertModule, &'static AlertMetric)> {
    let module: AlertModule = module.parse().ok()?;
    let metric = console.parts.alert_metrics.find(module, metric)?;
    here.has(module.into()).then_some((module, metric))
}

fn metrics(console: &Console, here: &AtDomain) -> Markup {
    let modules = console.parts.alert_metrics.modules();
    html! {
        h2 { "What shall the rule watch?" }
        @for of in modules.filter(|of| here.has(of.module.into())) {
            section.card aria-labelledby={ (of.module) "-head" } {
                h3 id={ (of.module) "-head" } { (of.label) }
                ul {
                    @for metric in of.metrics {
                        li {
                            a href={ (path(here)) "/new?module=" (of.module) "&metric=" (metric.name) } { (metric.label) }
                            " " span.note { (metric.description) }
                        }
                    }
                }
            }
        }
        div.actions { a.button.quiet href=(path(here)) { "Back" } }
    }
}

async fn again(
    console: &Console,
    here: &AtDomain,
    (module, metric): (AlertModule, &'static AlertMetric),
    typed: &Typed,
    faults: &Faults,
) -> Result<HttpResponse, Refusal> {
    let domain = named(console, here).await?;
    let content = form(here, module, metric, typed, faults);
    Ok(frame(here, &domain.title, super::PATH)
        .status(StatusCode::BAD_REQUEST)
        .with(&content))
}

fn form(
    here: &AtDomain,
    module: AlertModule,
    metric: &AlertMetric,
    typed: &Typed,
    faults: &Faults,
) -> Markup {
    let field =
        |name: &'static str, label: &'static str| Field::new(name, label, typed.one(name)).faults(faults);
    let operators = metric.operators.iter();
    let windows = metric.windows.iter();
    let unit = match metric.display_unit {
        "" => "A value, a percentage of change, or a number of deviations.".to_owned(),
        unit => format!("A value in {unit}, a percentage of change, or a number of deviations."),
    };
    let compares = metric.operators.iter().any(|operator| operator.compares());
    html! {
        h2 { "A rule on: " (metric.label) }
        p.note { (metric.description) }
        (faults.summary())
        form.card method="post" action={ (path(here)) "/new" } {
            (here.user.token_field())
            input type="hidden" name="module" value=(module);
            input type="hidden" name="metric" value=(metric.name);
            (field("operator", "Fires when it is").select(operators.map(|operator| (operator.as_str(), words(*operator)))))
            (field("threshold_value", "Threshold").hint(&unit).line())
            @if compares {
                (field("comparison_window", "Beside")
                    .hint("Of use where the rule looks at a change, or at what is usual.")
                    .select([("", "nothing")].into_iter()
                        .chain(ComparisonWindow::ALL.iter().map(|window| (window.as_str(), compared(*window))))))
            }
            (field("evaluation_window", "Looks at").select(windows.map(|window| (window.as_str(), looked_at(*window)))))
            (filters(&field, metric.filters))
            (field("severity", "How bad it is").select(Severity::ALL.iter().map(|one| (one.as_str(), one.as_str()))))
            (field("cooldown_minutes", "Silent after it fired, in minutes").max(6).line())
            (field("name", "Name").optional().max(200).line())
            div.actions {
                a.button.quiet href={ (path(here)) "/new" } { "Another metric" }
                button type="submit" { "Make the rule" }
            }
        }
    }
}

/// What the rules of some metrics may be narrowed to.
fn filters<'a>(field: &impl Fn(&'static str, &'static str) -> Field<'a>, has: SupportedFilters) -> Markup {
    let all = [("", "all")];
    html! {
        @if has.url { (field("url", "Only this URL").optional().max(2048).kind("url").line()) }
        @if has.form_factor {
            (field("form_factor", "Devices").select(all.into_iter()
                .chain(FormFactor::ALL.iter().map(|one| (one.as_str(), one.as_str())))))
        }
        @if has.search_type {
            (field("search_type", "Search type").select(SearchType::ALL.iter().map(|one| (one.as_str(), one.as_str()))))
        }
    }
}

/// An operator as the form says it.
fn words(operator: AlertOperator) -> &'static str {
    match operator {
        AlertOperator::Gt => "above the threshold",
        AlertOperator::Gte => "at the threshold or above",
        AlertOperator::Lt => "below the threshold",
        AlertOperator::Lte => "at the threshold or below",
        AlertOperator::Eq => "at exactly the threshold",
        AlertOperator::PctDecrease => "lower by so many percent or more",
        AlertOperator::PctIncrease => "higher by so many percent or more",
        AlertOperator::Anomaly => "unusual, by more than so many deviations",
    }
}
