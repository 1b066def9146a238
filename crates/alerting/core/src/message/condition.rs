//! The condition of a rule in words.

use pharos_domain::{
    alert_metric::{AlertMetric, AlertOperator, FormFactor, MetricFilter, Phrase, SearchType},
    figure::number,
};

use super::words::{is_one, quantity};
use crate::rule::RuleSettings;

/// The part of the domain that a rule watches, such as `https://shop.example/hats on phones`; `None`: all of it.
#[must_use]
pub fn watched(filter: &MetricFilter) -> Option<String> {
    let devices = filter.form_factor.map(|devices| match devices {
        FormFactor::Mobile => "phones",
        FormFactor::Desktop => "computers",
    });
    let results = filter.search_type.map(|results| match results {
        SearchType::Web => "web results",
        SearchType::Image => "image results",
        SearchType::Video => "video results",
        SearchType::News => "news results",
        SearchType::Discover => "Discover",
        SearchType::GoogleNews => "Google News",
    });
    let parts: Vec<&str> = [filter.url.as_deref(), devices, results]
        .into_iter()
        .flatten()
        .collect();
    (!parts.is_empty()).then(|| parts.join(" on "))
}

/// When a rule fires, such as "at 2 checks or more".
#[must_use]
pub fn threshold(rule: &RuleSettings, metric: &AlertMetric) -> String {
    let value = quantity(rule.threshold, metric);
    let plain = number(rule.threshold);
    match rule.operator {
        AlertOperator::Gt => format!("above {value}"),
        AlertOperator::Gte => format!("at {value} or more"),
        AlertOperator::Lt => format!("below {value}"),
        AlertOperator::Lte => match metric.phrase {
            Phrase::Count { .. } => format!("at {value} or fewer"),
            Phrase::Amount(_) | Phrase::DaysLeft(_) | Phrase::Flag { .. } => format!("at {value} or less"),
        },
        AlertOperator::Eq => format!("at exactly {value}"),
        AlertOperator::PctDecrease => format!("at a drop of {plain} % or more"),
        AlertOperator::PctIncrease => format!("at a rise of {plain} % or more"),
        AlertOperator::Anomaly => {
            let unit = if is_one(rule.threshold) {
                "deviation"
            } else {
                "deviations"
            };
            format!("at more than {plain} {unit} from what is usual")
        }
    }
}
