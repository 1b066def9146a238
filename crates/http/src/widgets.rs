//! Widgets of reports from operations: a group asks its own handlers, so that a report has the figures of the API and no
//! second meaning of any.

use std::collections::HashMap;

use async_trait::async_trait;
use pharos_domain::{
    identity::DomainAccess,
    problem::Suffix,
    report_widget::{ReportSection, ReportWindow, WidgetAnswer, WidgetQuery, WidgetSource},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{extract::query::Query, operation::ApiResult, problem::Problem};

/// Widgets of a group, each answered by the group's operations. [`InTurn`] makes a source of them.
#[async_trait]
pub trait OperationWidgets: Send + Sync {
    /// The sections that they stand in.
    const SECTIONS: &'static [ReportSection];

    /// Answers a widget over a window. `reads` has what the widgets before it in the call were made from.
    async fn one(
        &self,
        domain: &DomainAccess,
        window: &ReportWindow,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer;
}

/// A source that answers the widgets of a call one after the other, so that what several show is read once.
#[derive(Clone, Copy, Debug)]
pub struct InTurn<W>(pub W);

#[async_trait]
impl<W: OperationWidgets> WidgetSource for InTurn<W> {
    fn sections(&self) -> &'static [ReportSection] {
        W::SECTIONS
    }

    async fn read(
        &self,
        domain: &DomainAccess,
        window: &ReportWindow,
        widgets: &[WidgetQuery],
    ) -> Vec<WidgetAnswer> {
        let (mut reads, mut answers) = (Reads::default(), Vec::with_capacity(widgets.len()));
        for widget in widgets {
            answers.push(self.0.one(domain, window, widget, &mut reads).await);
        }
        answers
    }
}

/// The answers of operations that widgets of one call were made from. An operation that several widgets show is read once.
#[derive(Debug, Default)]
pub struct Reads(HashMap<String, Result<Value, Suffix>>);

impl Reads {
    /// The answer of a widget from that of an operation. `key` names the operation and its parameters within the call; the
    /// operation is asked where nobody did before.
    pub async fn answer<T: Serialize>(
        &mut self,
        widget: &WidgetQuery,
        key: impl Into<String>,
        operation: impl Future<Output = ApiResult<T>>,
    ) -> WidgetAnswer {
        let key = key.into();
        let known = match self.0.get(&key) {
            Some(known) => known,
            None => {
                let answer = read(&key, operation.await);
                self.0.entry(key).or_insert(answer)
            }
        };
        match known {
            Ok(whole) => widget.widget.answer(whole, widget.limit()),
            Err(suffix) => refused(*suffix),
        }
    }
}

fn read<T: Serialize>(key: &str, answer: ApiResult<T>) -> Result<Value, Suffix> {
    let answer = answer.and_then(|answer| {
        serde_json::to_value(&answer).map_err(|error| Problem::internal(error.to_string()))
    });
    answer.map_err(|problem| {
        if problem.suffix.status() >= 500 {
            let cause = problem.cause.as_deref().unwrap_or(&problem.detail);
            tracing::warn!(
                key,
                suffix = problem.suffix.as_str(),
                cause,
                "a widget of a report can't be read"
            );
        }
        problem.suffix
    })
}

/// The meaning of a refusal for a report.
fn refused(suffix: Suffix) -> WidgetAnswer {
    match suffix {
        Suffix::CheckDataNotFound | Suffix::EvaluationNotFound => WidgetAnswer::NO_DATA,
        suffix if suffix.status() == 404 => WidgetAnswer::NOT_CONFIGURED,
        // Callers of an operation are charged, so one that can't reach the store names their balance. A widget has none.
        Suffix::CreditBalanceUnavailable => WidgetAnswer::unavailable(Some(Suffix::DatastoreError)),
        suffix => WidgetAnswer::unavailable(Some(suffix)),
    }
}

/// The query parameters of an operation from what was chosen of a widget.
///
/// # Errors
/// The operation does not know them: a mistake of the program.
pub fn parameters<T: DeserializeOwned>(chosen: Value) -> ApiResult<Query<T>> {
    serde_json::from_value(chosen)
        .map(Query)
        .map_err(|error| Problem::internal(format!("a widget's parameters: {error}")))
}

#[cfg(test)]
mod tests {
    use pharos_domain::report_widget::{
        DataField, Empty, FieldFormat, ReportWidget, SectionName, WidgetKind, WidgetStatus,
    };
    use serde_json::{Map, json};

    use super::*;
    use crate::problem::unavailable;

    const WIDGET: ReportWidget = ReportWidget {
        name: "kpi_row",
        label: "",
        description: "",
        kind: WidgetKind::Kpi,
        default_enabled: true,
        config: &[],
        rows: None,
        fields: &[DataField::new("visitors", "Visitors", FieldFormat::Count)],
        empty: Empty::NoData,
        measured_by: None,
    };

    fn query() -> WidgetQuery {
        WidgetQuery {
            section: SectionName::Analytics,
            widget: &WIDGET,
            config: Map::new(),
        }
    }

    #[tokio::test]
    async fn an_operation_is_asked_once_for_all_widgets_that_show_it() {
        let mut reads = Reads::default();
        let answer = reads
            .answer(&query(), "overview", async { Ok(json!({ "visitors": 7 })) })
            .await;
        assert_eq!(answer.data, Some(json!({ "visitors": 7 })));
        let again = async { Err::<Value, _>(Problem::internal("asked twice".to_owned())) };
        assert_eq!(reads.answer(&query(), "overview", again).await, answer);
    }

    #[test]
    fn the_option_all_narrows_nothing_down() {
        let chosen = |severity: &str| {
            let mut query = query();
            query.config.insert("severity".to_owned(), json!(severity));
            query
        };
        assert_eq!(chosen("all").narrowed("severity"), None);
        assert_eq!(chosen("error").narrowed("severity"), Some("error"));
        assert_eq!(query().narrowed("severity"), None);
    }

    #[tokio::test]
    async fn a_refusal_says_why_there_is_nothing() {
        for (suffix, status) in [
            (Suffix::UptimeNotFound, WidgetStatus::NotConfigured),
            (Suffix::CheckDataNotFound, WidgetStatus::NoData),
            (Suffix::DatastoreError, WidgetStatus::ModuleUnavailable),
        ] {
            let refusal = async { Err::<Value, _>(Problem::new(suffix, "")) };
            let answer = Reads::default().answer(&query(), "overview", refusal).await;
            assert_eq!(answer.status, status, "{}", suffix.as_str());
            assert_eq!(answer.error.is_some(), status == WidgetStatus::ModuleUnavailable);
        }
    }

    #[tokio::test]
    async fn a_store_that_cannot_be_reached_is_no_matter_of_credits() {
        let away = async { Err::<Value, _>(unavailable()) };
        let answer = Reads::default().answer(&query(), "overview", away).await;
        assert_eq!(answer, WidgetAnswer::unavailable(Some(Suffix::DatastoreError)));
    }
}
