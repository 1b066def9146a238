//! The fields of a template's form.

use maud::{Markup, html};
use pharos_domain::{
    report_widget::{ConfigField, ConfigFieldType},
    window::Period,
};
use pharos_reporting::{
    config::TITLE_LENGTH,
    format::{ReportFormat, ReportLocale, ScheduleFrequency},
    render::words::number,
    schedule::{HOURS, WEEKDAYS as WEEKDAYS_BY_NUMBER},
    template::{DESCRIPTION_LENGTH, LOGO_URL_LENGTH, NAME_LENGTH},
};

use super::{
    draft::{Draft, DraftSchedule, DraftSection, DraftWidget, OPEN, OPENED, YES},
    faults::SECTIONS,
};
use crate::{
    parts::form::{Faults, Field, SEEN, tick},
    reports::WEEKDAYS,
};

/// The fields of the template itself with the labels that they have.
const LABELS: [(&str, &str); 12] = [
    ("name", "Name"),
    ("description", "What it is for"),
    ("default_period", "Days"),
    ("format", "Form"),
    ("locale", "Numbers and dates"),
    ("logo_url", "Logo"),
    ("accent_color", "Colour"),
    ("frequency", "How often"),
    ("weekday", "Day of the week, where it is made every week"),
    ("day_of_month", "Day of the month, where it is made every month"),
    ("hour", "Hour"),
    ("timezone", "Time zone of its readers"),
];

/// The label of a field of the template itself.
pub(super) fn label(field: &str) -> Option<&'static str> {
    let mut known = LABELS.iter().filter(|(name, _)| *name == field);
    known.next().map(|(_, label)| *label)
}

/// A field of the template itself, by its label.
fn known<'a>(name: &'a str, value: &'a str) -> Field<'a> {
    Field::new(name, label(name).unwrap_or(name), value)
}

/// All fields. Buttons that move sections, and that open one, go to `action`.
pub(super) fn all(draft: &Draft, faults: &Faults, action: &str) -> Markup {
    html! {
        (hidden("version", &draft.version))
        (hidden(SEEN, &draft.seen))
        (hidden(OPENED, &draft.open))
        (about(draft, faults))
        (looks(draft, faults))
        (schedule(&draft.schedule, faults))
        fieldset id=(SECTIONS) tabindex="-1" {
            legend { "Sections" }
            p.hint { "Those that are ticked are in the report, in this order." }
            (wrong(SECTIONS, faults))
            @for section in &draft.sections { (self::section(section, faults, action, &draft.open)) }
        }
    }
}

fn about(draft: &Draft, faults: &Faults) -> Markup {
    let periods: Vec<(&str, String)> = Period::ALL
        .iter()
        .map(|period| (period.as_str(), sayable(period.as_str())))
        .collect();
    html! {
        (known("name", &draft.name).max(whole(NAME_LENGTH)).faults(faults)
            .hint("It stands above the report, and is the only one of its domain.").line())
        (known("description", &draft.description).optional().max(whole(DESCRIPTION_LENGTH)).faults(faults)
            .hint("For you; it is not in the report.").area(2))
        (known("default_period", &draft.period).faults(faults)
            .hint("Where it is made every month, best last month; every week, last week. The others have the day on which it is made, which is not over.")
            .select(periods.iter().map(|(value, text)| (*value, text.as_str()))))
        (tick("compare_previous", "compare_previous", YES, &html! { "Compare with the days before" }, draft.compares))
    }
}

fn looks(draft: &Draft, faults: &Faults) -> Markup {
    let formats = ReportFormat::ALL.iter().map(|format| {
        let text = match format {
            ReportFormat::Pdf => "PDF, pages to show and to print",
            ReportFormat::Html => "HTML, a page for browsers",
            ReportFormat::Csv => "CSV, for spreadsheets",
            ReportFormat::Json => "JSON, for programs",
        };
        (format.as_str(), text)
    });
    // As a report writes it: Spanish, for one, does not group four digits.
    let sample = |locale: &ReportLocale| number(*locale, 1_234.5, 1);
    let locales: Vec<(&str, String)> = ReportLocale::ALL
        .iter()
        .map(|locale| {
            let language = match locale {
                ReportLocale::En => "English",
                ReportLocale::De => "German",
                ReportLocale::Fr => "French",
                ReportLocale::Es => "Spanish",
                ReportLocale::Ja => "Japanese",
            };
            (locale.as_str(), format!("{language}: {}", sample(locale)))
        })
        .collect();
    html! {
        (known("format", &draft.format).faults(faults).select(formats))
        (known("locale", &draft.locale).faults(faults)
            .hint("Words are English.").select(locales.iter().map(|(value, text)| (*value, text.as_str()))))
        (known("logo_url", &draft.logo_url).kind("url").optional().max(whole(LOGO_URL_LENGTH)).faults(faults)
            .placeholder("https://shop.example/logo.png")
            .hint("The address of a PNG, JPEG or WebP of 1 MB and 2,048 by 2,048 pixels at most. It is fetched when a report is made; the preview is without it.")
            .line())
        (known("accent_color", &draft.accent_color).optional().max(7).faults(faults).placeholder("#0a7f5c")
            .hint("Of headings and courses: # and six hexadecimal digits.").line())
    }
}

fn schedule(schedule: &DraftSchedule, faults: &Faults) -> Markup {
    let frequencies = [
        ("", "only when it is asked for"),
        (ScheduleFrequency::Weekly.as_str(), "every week"),
        (ScheduleFrequency::Monthly.as_str(), "every month"),
    ];
    let weekdays: Vec<(String, &str)> = WEEKDAYS_BY_NUMBER
        .zip(WEEKDAYS)
        .map(|(number, name)| (number.to_string(), name))
        .collect();
    let hours: Vec<(String, String)> = HOURS
        .map(|hour| (hour.to_string(), format!("{hour}:00")))
        .collect();
    html! {
        fieldset {
            legend { "Made by itself" }
            (known("frequency", &schedule.frequency).faults(faults).select(frequencies))
            (tick("schedule_enabled", "schedule_enabled", YES, &html! { "The schedule is on" }, schedule.is_on))
            (known("weekday", &schedule.weekday).faults(faults)
                .select(weekdays.iter().map(|(value, text)| (value.as_str(), *text))))
            (known("day_of_month", &schedule.day_of_month).faults(faults)
                .max(2).hint("1 to 31. A month that has no such day has it on its last.").line())
            (known("hour", &schedule.hour).faults(faults)
                .select(hours.iter().map(|(value, text)| (value.as_str(), text.as_str()))))
            (known("timezone", &schedule.timezone).max(64).faults(faults)
                .placeholder("Europe/Berlin").line())
        }
    }
}

fn section(section: &DraftSection, faults: &Faults, action: &str, open: &str) -> Markup {
    let name = section.name;
    let (on, title) = (format!("on.{name}"), format!("title.{name}"));
    let inside = format!(".{name}.");
    let is_wrong = faults.has(|field| field.contains(&inside) || field == title);
    let chosen = section.widgets.iter().filter(|widget| widget.is_on).count();
    html! {
        div.part id={ "part." (name) } {
            (hidden("section", name))
            div.moved {
                (tick(&on, &on, YES, &html! { strong { (section.label) } " " span.note { (section.description) } }, section.is_on))
                (moves(action, name, name, section.label))
            }
            (wrong(&on, faults))
            @if is_wrong || open == name {
                details open {
                    summary { (chosen) " of " (section.widgets.len()) " parts" span.aside { " of " (section.label) } }
                    (Field::new(&title, "Title of the section", &section.title).optional().max(whole(TITLE_LENGTH)).faults(faults)
                        .placeholder(section.label).line())
                    @for known in &section.widgets { (widget(section, known, faults, action)) }
                }
            } @else {
                (kept(section, &title))
                div.moved {
                    span.note { (chosen) " of " (section.widgets.len()) " parts" }
                    span.moves {
                        button.quiet type="submit" name=(OPEN) value=(name) formaction={ (action) "#part." (name) }
                            aria-label={ "Change the parts of " (section.label) } { "Change" }
                    }
                }
            }
        }
    }
}

/// The parts of a section that is not open, hidden: they send what its fields would.
fn kept(section: &DraftSection, title: &str) -> Markup {
    let order = format!("widget.{}", section.name);
    html! {
        (hidden(title, &section.title))
        @for known in &section.widgets {
            @let path = format!("{}.{}", section.name, known.widget.name);
            (hidden(&order, known.widget.name))
            @if known.is_on { (hidden(&format!("on.{path}"), YES)) }
            @if !known.title.is_empty() { (hidden(&format!("title.{path}"), &known.title)) }
            @for field in known.widget.config {
                @for text in known.typed(field.field).iter().filter(|text| !text.is_empty()) {
                    (hidden(&format!("config.{path}.{}", field.field), text))
                }
            }
        }
    }
}

fn hidden(name: &str, value: &str) -> Markup {
    html! { input type="hidden" name=(name) value=(value); }
}

fn widget(section: &DraftSection, known: &DraftWidget, faults: &Faults, action: &str) -> Markup {
    let widget = known.widget;
    let path = format!("{}.{}", section.name, widget.name);
    let (on, title) = (format!("on.{path}"), format!("title.{path}"));
    let order = format!("widget.{}", section.name);
    html! {
        fieldset.part {
            legend.aside { (widget.label) }
            (hidden(&order, widget.name))
            div.moved {
                (tick(&on, &on, YES, &html! { (widget.label) " " span.note { (widget.description) } }, known.is_on))
                (moves(action, section.name, &path, widget.label))
            }
            (wrong(&on, faults))
            (Field::new(&title, "Title", &known.title).optional().max(whole(TITLE_LENGTH)).faults(faults).placeholder(widget.label).line())
            @for field in widget.config { (choice(&path, field, known.typed(field.field), faults)) }
        }
    }
}

/// A field of a widget's configuration.
fn choice(path: &str, field: &ConfigField, typed: &[String], faults: &Faults) -> Markup {
    let name = format!("config.{path}.{}", field.field);
    let text = typed.first().map_or("", String::as_str);
    let line = Field::new(&name, field.label, text).faults(faults);
    // Nobody has to fill in what has a default.
    let line = if field.required { line } else { line.optional() };
    let line = match field.max.filter(|_| is_text(field.kind)) {
        Some(max) => line.max(max),
        None => line,
    };
    match field.kind {
        ConfigFieldType::Boolean => html! {
            (tick(&name, &name, YES, &html! { (field.label) }, !typed.is_empty()))
            (wrong(&name, faults))
        },
        ConfigFieldType::MultiEnum => html! {
            fieldset id=(name) tabindex="-1" {
                legend { (field.label) }
                (wrong(&name, faults))
                @for option in field.options {
                    @let is_chosen = typed.iter().any(|one| one == option);
                    (tick(&format!("{name}.{option}"), &name, option, &html! { (sayable(option)) }, is_chosen))
                }
            }
        },
        ConfigFieldType::Enum => {
            let options: Vec<(&str, String)> = field
                .options
                .iter()
                .map(|option| (*option, sayable(option)))
                .collect();
            let none = field.default_value().is_null().then_some(("", "–"));
            let options = options.iter().map(|(value, text)| (*value, text.as_str()));
            line.select(none.into_iter().chain(options))
        }
        ConfigFieldType::Text => line.area(4),
        ConfigFieldType::Date => line.kind("date").line(),
        ConfigFieldType::Integer => line.kind("number").line(),
        ConfigFieldType::Number | ConfigFieldType::String => line.line(),
    }
}

const fn is_text(kind: ConfigFieldType) -> bool {
    matches!(kind, ConfigFieldType::String | ConfigFieldType::Text)
}

/// The buttons that move something by one place. The page that comes is seen from its section on.
fn moves(action: &str, section: &str, path: &str, label: &str) -> Markup {
    html! {
        span.moves {
            @for (way, sign) in [("up", "↑"), ("down", "↓")] {
                button.quiet type="submit" name="move" value={ (way) ":" (path) } formaction={ (action) "#part." (section) }
                    aria-label={ "Move " (label) " " (way) } { (sign) }
            }
        }
    }
}

/// The fault of a group of fields, where the fields are no single line.
fn wrong(field: &str, faults: &Faults) -> Markup {
    html! {
        @if let Some(fault) = faults.of(field) { p.wrong { (fault) } }
    }
}

/// A name of the API in words.
fn sayable(name: &str) -> String {
    name.replace('_', " ")
}

/// How long a field may be, as HTML has it.
fn whole(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
