//! The picture of a rule: the last values of its metric, with its threshold drawn in.

use maud::{Markup, html};
use pharos_alerting::{
    course::{Course, course},
    message::threshold,
    rule::RuleSettings,
    trend::Granularity,
};
use pharos_domain::{
    alert_metric::{AlertMetric, AlertModule, AlertOperator, Direction, EvaluationWindow, MetricKind},
    figure::number,
};
use pharos_pictures::{
    chart::{Chart, Ground, Series},
    figure::short,
};
use time::{Duration, OffsetDateTime};
use tokio::time::timeout;

use super::fields::Typed;
use crate::{console::Console, enter::AtDomain, period::short_day, permits::WITHIN};

/// The step of a form that draws what is typed, and stores nothing.
pub(super) const DRAW: &str = "draw";

/// The button of that step.
pub(super) fn button() -> Markup {
    html! { button.quiet type="submit" name="do" value=(DRAW) { "Draw this threshold" } }
}

/// The picture of the rule that is typed; without its threshold as long as something is wrong with it. A form works without its
/// picture, so what fails here is only said.
pub(super) async fn picture(
    console: &Console,
    here: &AtDomain,
    of: (AlertModule, &'static AlertMetric),
    typed: &Typed,
) -> Markup {
    let in_order = |typed: &Typed| typed.settings(console, here, of).ok().and_then(Result::ok);
    let asked = in_order(typed);
    let is_in_order = asked.is_some();
    let Some(rule) = asked.or_else(|| in_order(&Typed::begin(of.1))) else {
        return html! {};
    };
    let read = async {
        let _permit = console.page_permits.turn(here.workspace()).await.ok()?;
        let (metrics, now) = (&console.parts.alert_metrics, console.parts.clock.now());
        course(metrics, here.id(), &rule, now)
            .await
            .unwrap_or_else(|error| {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the values of a metric can't be read"
                );
                None
            })
    };
    let read = timeout(WITHIN, read).await.ok().flatten();
    html! {
        section.card.course aria-labelledby="course-head" {
            h3 id="course-head" { "The last values" }
            @match &read {
                None => p.note { "They can’t be read now. The rule can be saved all the same." },
                Some(course) if course.points.is_empty() => (pastless(of.1, course)),
                Some(course) => (drawn(of.1, course, rule.evaluation_window, is_in_order.then_some(&rule))),
            }
        }
    }
}

/// A metric of which no past is kept.
fn pastless(metric: &AlertMetric, course: &Course) -> Markup {
    html! {
        @if metric.kind == MetricKind::Event {
            p.note { "The rule counts what happens from the moment that it is made, so there is nothing to draw yet." }
        } @else {
            p.note {
                "Nothing is kept of the past of this metric. Now it is "
                @match course.latest {
                    Some(value) => strong.figure { (number(value)) " " (metric.display_unit) },
                    None => "not known",
                }
                "."
            }
        }
    }
}

/// The values of a rule that looks at this window; `rule`: what holds them against its threshold.
fn drawn(
    metric: &AlertMetric,
    course: &Course,
    looks_at: EvaluationWindow,
    rule: Option<&RuleSettings>,
) -> Markup {
    let (place, head) = match course.granularity {
        Granularity::Hour => ("hour", "Hour"),
        Granularity::Day => ("day", "Day"),
    };
    let label = |start: OffsetDateTime| match course.granularity {
        Granularity::Hour => format!("{} {:02}:00", short_day(start.date()), start.hour()),
        Granularity::Day => short_day(start.date()),
    };
    let labels: Vec<String> = course.points.iter().map(|point| label(point.start)).collect();
    let unit = match metric.display_unit {
        "" => String::new(),
        unit => format!(", in {unit}"),
    };
    let fires = rule.map(|rule| format!("fires {}", threshold(rule, metric)));
    let bound = rule.and(course.bound).zip(fires.as_deref());
    let mut told = format!("The last {} {place}s, UTC.", labels.len());
    if let Some(fires) = &fires {
        told.push_str(&format!(" The rule {fires}."));
    }
    let series = [Series {
        name: metric.label,
        values: course.points.iter().map(|point| point.value).collect(),
    }];
    let title = format!("{} by {place}{unit}", metric.label);
    let chart = Chart {
        id: "course",
        title: &title,
        description: &told,
        places: head,
        labels: &labels,
        series: &series,
        words: number,
        short,
        threshold: bound,
        ground: Ground::default(),
    };
    let longer = looks_at.length().filter(|length| *length > Duration::DAY);
    html! {
        (chart.lines())
        p.note {
            @if let Some(length) = longer { "Each value is of the " (length.whole_days()) " days that end there. " }
            (note(course, rule, metric.direction, place))
        }
    }
}

/// The picture in words, for those who count.
fn note(course: &Course, rule: Option<&RuleSettings>, direction: Direction, place: &str) -> String {
    let Some(rule) = rule else {
        return "The threshold is drawn in once the form is in order.".to_owned();
    };
    let measured = course.measured();
    match course.bound {
        None if rule.operator == AlertOperator::Anomaly && direction == Direction::Either => {
            "The rule fires on both sides of what is usual, so that no one bound is drawn.".to_owned()
        }
        None => "There is too little of the past to say where the rule fires now.".to_owned(),
        Some(bound) if rule.operator.compares() => {
            let fires = side(rule.operator, direction, bound);
            format!("By what it compares with, the rule fires {fires} now.")
        }
        Some(_) if measured == 0 => "Nothing was measured in this time.".to_owned(),
        Some(_) => format!(
            "Beyond the threshold: {} of the {measured} {place}s that were measured.",
            course.beyond(rule)
        ),
    }
}

/// Where a rule fires that compares with the past: from its bound on, and on an anomaly beyond it alone.
fn side(operator: AlertOperator, direction: Direction, bound: f64) -> String {
    let bound = number(bound);
    match (operator, direction) {
        (AlertOperator::PctDecrease, _) => format!("at {bound} or below"),
        (AlertOperator::Anomaly, Direction::LowerIsWorse) => format!("below {bound}"),
        (AlertOperator::Anomaly, _) => format!("above {bound}"),
        _ => format!("at {bound} or above"),
    }
}

#[cfg(test)]
mod tests {
    use pharos_alerting::severity::Severity;
    use pharos_domain::alert_metric::{ComparisonWindow, MetricFilter};

    use super::*;

    #[test]
    fn a_rule_on_the_past_says_on_which_side_of_its_bound_it_fires() {
        let mut course = Course {
            granularity: Granularity::Day,
            points: Vec::new(),
            latest: None,
            bound: Some(1_250.0),
        };
        let rule = |operator| RuleSettings {
            name: None,
            module: AlertModule::Gsc,
            metric: "clicks".to_owned(),
            operator,
            threshold: 20.0,
            comparison_window: Some(ComparisonWindow::Previous7Days),
            evaluation_window: EvaluationWindow::Day,
            min_sample: None,
            filter: MetricFilter::default(),
            severity: Severity::Warning,
            enabled: true,
            cooldown_minutes: 0,
        };
        for (operator, direction, fires) in [
            (
                AlertOperator::PctDecrease,
                Direction::LowerIsWorse,
                "at 1,250 or below",
            ),
            (
                AlertOperator::PctIncrease,
                Direction::HigherIsWorse,
                "at 1,250 or above",
            ),
            (AlertOperator::Anomaly, Direction::LowerIsWorse, "below 1,250"),
            (AlertOperator::Anomaly, Direction::HigherIsWorse, "above 1,250"),
        ] {
            assert_eq!(
                note(&course, Some(&rule(operator)), direction, "day"),
                format!("By what it compares with, the rule fires {fires} now.")
            );
        }
        course.bound = None;
        let without = |direction| note(&course, Some(&rule(AlertOperator::Anomaly)), direction, "day");
        assert!(without(Direction::HigherIsWorse).starts_with("There is too little of the past"));
        assert!(without(Direction::Either).starts_with("The rule fires on both sides"));
    }
}
