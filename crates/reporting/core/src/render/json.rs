//! A report for programs: the data of the API.

use pharos_domain::{report_widget::WidgetKind, window::Meta};
use serde_json::{Value, json};

use crate::data::SectionData;

/// The sections as the API answers them.
#[must_use]
pub fn sections(sections: &[SectionData]) -> Vec<Value> {
    sections
        .iter()
        .map(|section| {
            let widgets: Vec<Value> = section
                .widgets
                .iter()
                .map(|data| {
                    let kind: WidgetKind = data.widget.kind;
                    json!({
                        "widget": data.name,
                        "kind": kind,
                        "status": data.answer.status,
                        "data": data.answer.data,
                        "error_code": data.answer.error.map(pharos_domain::problem::Suffix::as_str),
                    })
                })
                .collect();
            json!({ "section": section.name, "widgets": widgets })
        })
        .collect()
}

/// The whole report: what `POST …/reports/data/{template_id}` answers for the same days.
#[must_use]
pub fn report(template: Option<uuid::Uuid>, meta: &Meta, data: &[SectionData]) -> Value {
    json!({ "template_id": template, "meta": meta, "sections": sections(data) })
}
