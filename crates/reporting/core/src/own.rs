//! The widgets of reports themselves, and the sections of modules that are not there.

use pharos_domain::{
    module::Module,
    report_widget::{
        ConfigDefault, ConfigField, ConfigFieldType, DataField, Empty, FieldFormat, MOST_TEXT, ReportSection,
        ReportWidget, SectionName, WidgetKind,
    },
};

/// The widget that sums the other modules up.
pub(crate) const SUMMARY: &str = "summary";
/// The widget with a text of one's own.
pub(crate) const TEXT: &str = "text";

const SUMMARY_WIDGET: ReportWidget = ReportWidget {
    name: SUMMARY,
    label: "Summary",
    description: "What changed against the days before, what caused it as far as the data says, and what needs doing.",
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
};

pub(crate) const SECTIONS: &[ReportSection] = &[
    ReportSection {
        name: SectionName::Overview,
        label: "Overview",
        description: "All modules at a glance.",
        requires_module: None,
        widgets: &[SUMMARY_WIDGET],
    },
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

/// The only widget of a section whose module this version does not have.
const MISSING: ReportWidget = ReportWidget {
    name: "kpi_row",
    label: "Not available",
    description: "This Pharos does not have the module yet, so the widget answers module_unavailable.",
    kind: WidgetKind::Kpi,
    default_enabled: false,
    config: &[],
    rows: None,
    fields: &[],
    empty: Empty::NoData,
};

pub(crate) const ABSENT: &[ReportSection] = &[
    ReportSection {
        name: SectionName::Synthetic,
        label: "Lab tests",
        description: "How fast pages are in the lab. Not available yet.",
        requires_module: Some(Module::Synthetic),
        widgets: &[MISSING],
    },
    ReportSection {
        name: SectionName::Gsc,
        label: "Search performance",
        description: "How pages do in Google Search. Not available yet.",
        requires_module: Some(Module::Gsc),
        widgets: &[MISSING],
    },
    ReportSection {
        name: SectionName::Indexing,
        label: "Indexing",
        description: "Whether pages are in Google's index. Not available yet.",
        requires_module: Some(Module::Indexing),
        widgets: &[MISSING],
    },
    ReportSection {
        name: SectionName::Sitemap,
        label: "Sitemaps",
        description: "Sitemaps and their changes. Not available yet.",
        requires_module: Some(Module::Sitemap),
        widgets: &[MISSING],
    },
];
