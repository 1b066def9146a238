//! The widgets of reports themselves.

use pharos_domain::report_widget::{
    ConfigDefault, ConfigField, ConfigFieldType, DataField, Empty, FieldFormat, MOST_TEXT, ReportSection,
    ReportWidget, SectionName, WidgetKind,
};

use crate::pages;

/// The widget that sums the other modules up.
pub(crate) const SUMMARY: &str = "summary";
/// The widget with a text of one's own.
pub(crate) const TEXT: &str = "text";

const SUMMARY_WIDGET: ReportWidget = ReportWidget {
    name: SUMMARY,
    label: "Summary",
    description: "The changes against the days before, what caused them as far as the data says, and what needs doing.",
    kind: WidgetKind::Text,
    default_enabled: true,
    config: &[],
    rows: Some("items"),
    fields: &[
        DataField::new("kind", "Kind", FieldFormat::Text),
        DataField::new("section", "Section", FieldFormat::Text),
        DataField::new("text", "Text", FieldFormat::Text),
    ],
    empty: Empty::IsAnswer,
    measured_by: None,
};

const OVERVIEW: ReportSection = ReportSection {
    name: SectionName::Overview,
    label: "Overview",
    description: "All modules at a glance.",
    requires_module: None,
    widgets: &[SUMMARY_WIDGET],
};

/// The widgets behind those of others.
pub(crate) const CLOSING: &[ReportSection] = &[ReportSection {
    widgets: &[pages::WIDGET],
    ..OVERVIEW
}];

/// The widgets before those of others.
pub(crate) const SECTIONS: &[ReportSection] = &[
    OVERVIEW,
    ReportSection {
        name: SectionName::Notes,
        label: "Notes",
        description: "Text of one's own.",
        requires_module: None,
        widgets: &[ReportWidget {
            name: TEXT,
            label: "Text",
            description: "Paragraphs, with an empty line between them.",
            config: &[ConfigField {
                field: "text",
                label: "Text",
                kind: ConfigFieldType::Text,
                required: true,
                default: ConfigDefault::None,
                options: &[],
                min: Some(1),
                max: Some(MOST_TEXT),
            }],
            rows: None,
            fields: &[DataField::new("text", "Text", FieldFormat::Text)],
            ..SUMMARY_WIDGET
        }],
    },
];

/// Stands for a widget that this installation does not have: a stored configuration may name one that another had.
pub(crate) const ABSENT: ReportWidget = ReportWidget {
    name: "",
    label: "Not available",
    description: "This installation does not have the widget.",
    ..SUMMARY_WIDGET
};
