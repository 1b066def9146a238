//! The data of a widget: those members of a module's answer that it shows.

use serde_json::{Map, Value, map::Entry};

use super::{DataField, Empty, ReportWidget, WidgetAnswer};
use crate::problem::Suffix;

/// The value at a path of names with dots between them.
#[must_use]
pub fn at_path<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, name| value.get(name))
}

/// Puts a value where a path says.
fn put(into: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        None => {
            into.insert(path.to_owned(), value);
        }
        Some((name, rest)) => {
            let member = match into.entry(name) {
                Entry::Occupied(member) => member.into_mut(),
                Entry::Vacant(member) => member.insert(Value::Object(Map::new())),
            };
            if let Value::Object(member) = member {
                put(member, rest, value);
            }
        }
    }
}

/// Puts the change of a field beside it, where the module tells one.
fn put_change(into: &mut Map<String, Value>, field: &DataField, whole: &Value) {
    if let Some(change) = field.change
        && let Some(value) = at_path(whole, change.path())
    {
        put(into, change.path(), value.clone());
    }
}

/// The member of an answer about several modules that names those that it is without, since they failed or were late.
pub const UNAVAILABLE_MODULES: &str = "unavailable_modules";

/// Members that every widget shows where its module answers them.
const ALWAYS: [&str; 5] = ["meta", "currency", "data_state", "metric", "unit"];

impl ReportWidget {
    /// The widget's answer, made from the whole answer of its module: the fields that it shows and nothing else, and of rows
    /// so many at most.
    #[must_use]
    pub fn answer(&self, whole: &Value, most: Option<usize>) -> WidgetAnswer {
        let is_unmeasured = |counts: &[&str]| counts.iter().all(|path| is_zero(whole, path));
        if self.measured_by.is_some_and(is_unmeasured) {
            return WidgetAnswer::NO_DATA;
        }
        let mut data = Map::new();
        let has_data = match self.rows {
            None => self.figures(whole, &mut data),
            Some(member) => self.rows_of(whole, member, most, &mut data),
        };
        let missing = whole
            .get(UNAVAILABLE_MODULES)
            .filter(|modules| modules.as_array().is_some_and(|modules| !modules.is_empty()));
        if !has_data {
            return match missing {
                None => WidgetAnswer::NO_DATA,
                // Those that could not be read may have something.
                Some(_) => WidgetAnswer::unavailable(Some(Suffix::DatastoreError)),
            };
        }
        if let Some(modules) = missing {
            data.insert(UNAVAILABLE_MODULES.to_owned(), modules.clone());
        }
        for name in ALWAYS {
            if let Some(value) = whole.get(name) {
                data.insert(name.to_owned(), value.clone());
            }
        }
        WidgetAnswer::of(Value::Object(data))
    }

    /// Takes the figures; whether any was measured.
    fn figures(&self, whole: &Value, data: &mut Map<String, Value>) -> bool {
        let mut has_data = false;
        for field in self.fields {
            let value = at_path(whole, field.path).cloned().unwrap_or(Value::Null);
            has_data |= !value.is_null();
            put(data, field.path, value);
            put_change(data, field, whole);
        }
        has_data && !is_silent(whole)
    }

    fn rows_of(
        &self,
        whole: &Value,
        member: &str,
        most: Option<usize>,
        data: &mut Map<String, Value>,
    ) -> bool {
        let none = Vec::new();
        let rows = at_path(whole, member).and_then(Value::as_array).unwrap_or(&none);
        let most = most.unwrap_or(rows.len());
        // The first column names the place; a course of which nothing was measured is none.
        let measured = self.fields.get(1..).unwrap_or_default();
        let mut has_values = false;
        let picked: Vec<Value> = rows
            .iter()
            .take(most)
            .map(|row| {
                let mut columns = Map::new();
                for field in self.fields {
                    put(
                        &mut columns,
                        field.path,
                        at_path(row, field.path).cloned().unwrap_or(Value::Null),
                    );
                    put_change(&mut columns, field, row);
                }
                has_values |= measured.is_empty()
                    || measured
                        .iter()
                        .any(|field| at_path(row, field.path).is_some_and(|value| !value.is_null()));
                Value::Object(columns)
            })
            .collect();
        let is_empty = picked.is_empty();
        put(data, member, Value::Array(picked));
        if is_empty {
            return self.empty == Empty::IsAnswer;
        }
        has_values && !is_silent(whole)
    }
}

/// Whether a module says that it never received anything: its zeros are nothing that was counted.
fn is_silent(whole: &Value) -> bool {
    whole.get("data_through").is_some_and(Value::is_null)
}

/// Whether a count is there and is 0.
fn is_zero(whole: &Value, path: &str) -> bool {
    at_path(whole, path).and_then(Value::as_u64) == Some(0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::report_widget::{Better, FieldChange, FieldFormat, WidgetKind, WidgetStatus};

    const FIGURES: ReportWidget = ReportWidget {
        name: "kpi_row",
        label: "",
        description: "",
        kind: WidgetKind::Kpi,
        default_enabled: true,
        config: &[],
        rows: None,
        fields: &[
            DataField::new("visitors", "Visitors", FieldFormat::Count)
                .with(FieldChange::Percent("visitors_change_pct"), Better::Higher),
            DataField::new("vitals.all.lcp_ms", "LCP", FieldFormat::Millis),
            DataField::new("vitals.all.cls", "CLS", FieldFormat::Score),
        ],
        empty: Empty::NoData,
        measured_by: None,
    };

    const ROWS: ReportWidget = ReportWidget {
        kind: WidgetKind::Table,
        rows: Some("items"),
        fields: &[
            DataField::new("page", "Page", FieldFormat::Text),
            DataField::new("views", "Views", FieldFormat::Count),
        ],
        ..FIGURES
    };

    #[test]
    fn figures_keep_the_shape_of_the_modules_answer() {
        let whole = json!({
            "visitors": 7, "visitors_change_pct": null, "sessions": 9,
            "vitals": { "all": { "lcp_ms": 812.5, "cls": null, "inp_ms": 90 }, "mobile": null },
            "meta": { "range_start": "2026-03-01" },
        });
        let answer = FIGURES.answer(&whole, None);
        assert_eq!(answer.status, WidgetStatus::Ok);
        assert_eq!(
            answer.data,
            Some(json!({
                "visitors": 7, "visitors_change_pct": null,
                "vitals": { "all": { "lcp_ms": 812.5, "cls": null } },
                "meta": { "range_start": "2026-03-01" },
            }))
        );
        let nothing = json!({ "visitors": null, "vitals": { "all": null } });
        assert_eq!(FIGURES.answer(&nothing, None), WidgetAnswer::NO_DATA);
        let silent = json!({ "visitors": 0, "data_through": null });
        assert_eq!(FIGURES.answer(&silent, None), WidgetAnswer::NO_DATA);
    }

    #[test]
    fn rows_have_the_columns_of_the_widget_and_no_others() {
        let whole =
            json!({ "items": [{ "page": "/", "views": 2, "bounces": 1 }, { "page": "/a", "views": 1 }] });
        let answer = ROWS.answer(&whole, Some(1));
        assert_eq!(
            answer.data,
            Some(json!({ "items": [{ "page": "/", "views": 2 }] }))
        );
        let unmeasured = json!({ "items": [{ "page": "/", "views": null }] });
        assert_eq!(ROWS.answer(&unmeasured, None).status, WidgetStatus::NoData);
    }

    #[test]
    fn rows_have_the_changes_of_their_figures_and_say_whether_these_may_still_change() {
        const FIELDS: &[DataField] = &[
            DataField::new("page", "Page", FieldFormat::Text),
            DataField::new("ctr", "CTR", FieldFormat::Fraction)
                .with(FieldChange::Fraction("ctr_change"), Better::Higher),
        ];
        let compared = ReportWidget {
            fields: FIELDS,
            ..ROWS
        };
        let row = json!({ "page": "/", "ctr": 0.1, "ctr_previous": 0.08, "ctr_change": 0.02 });
        let alone = json!({ "page": "/a", "ctr": 0.1 });
        let whole = json!({ "items": [row, alone], "data_state": "all", "totals": {} });
        assert_eq!(
            compared.answer(&whole, None).data,
            Some(json!({
                "items": [{ "page": "/", "ctr": 0.1, "ctr_change": 0.02 }, { "page": "/a", "ctr": 0.1 }],
                "data_state": "all",
            }))
        );
        let points = FieldChange::Fraction("ctr_change").read(0.02);
        assert!((points - 2.0).abs() < 1e-12, "{points}");
    }

    #[test]
    fn an_answer_about_several_modules_names_those_that_it_is_without() {
        let whole =
            |visitors: Value, missing: Value| json!({ "visitors": visitors, "unavailable_modules": missing });
        let some = FIGURES.answer(&whole(json!(7), json!(["uptime"])), None);
        assert_eq!(some.status, WidgetStatus::Ok);
        assert_eq!(some.data.unwrap()["unavailable_modules"], json!(["uptime"]));
        let all = FIGURES.answer(&whole(json!(7), json!([])), None);
        assert_eq!(all.data.unwrap().get("unavailable_modules"), None);
        let row = json!({ "page": "/", "views": 2 });
        let rows = ROWS.answer(
            &json!({ "items": [row], "unavailable_modules": ["uptime"] }),
            None,
        );
        assert_eq!(rows.data.unwrap()["unavailable_modules"], json!(["uptime"]));
        // Nobody knows whether anything was recorded.
        let none = FIGURES.answer(&whole(Value::Null, json!(["uptime"])), None);
        assert!(none.has_failed(), "{none:?}");
        assert_eq!(
            FIGURES.answer(&whole(Value::Null, json!([])), None),
            WidgetAnswer::NO_DATA
        );
    }

    #[test]
    fn zeros_beside_no_measurement_are_no_data() {
        let counted = ReportWidget {
            measured_by: Some(&["checks_total", "incident_count"]),
            ..FIGURES
        };
        let of = |widget: &ReportWidget, whole: Value| widget.answer(&whole, None).status;
        let whole = |checks: u32, incidents: u32| json!({ "visitors": 0, "checks_total": checks, "incident_count": incidents });
        assert_eq!(of(&counted, whole(0, 0)), WidgetStatus::NoData);
        assert_eq!(of(&FIGURES, whole(0, 0)), WidgetStatus::Ok);
        assert_eq!(of(&counted, whole(3, 0)), WidgetStatus::Ok);
        // An outage that began before goes on where nobody looks.
        assert_eq!(of(&counted, whole(0, 1)), WidgetStatus::Ok);
        assert_eq!(of(&counted, json!({ "visitors": 0 })), WidgetStatus::Ok);
    }

    #[test]
    fn no_row_is_an_answer_where_the_widget_says_so() {
        let none = json!({ "items": [] });
        assert_eq!(ROWS.answer(&none, None).status, WidgetStatus::NoData);
        let incidents = ReportWidget {
            empty: Empty::IsAnswer,
            ..ROWS
        };
        assert_eq!(incidents.answer(&none, None).data, Some(none));
    }
}
