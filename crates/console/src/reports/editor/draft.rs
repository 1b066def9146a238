//! A template as its form has it: what was typed, whether or not it is in order.

use std::collections::HashMap;

use pharos_domain::{
    report_widget::{ConfigField, ConfigFieldType, ReportWidget},
    settings::Faults as Judge,
};
use pharos_reporting::{
    catalogue::{Catalogue, CatalogueSection, CatalogueWidget},
    config::{SectionChoice, SectionsConfig, WidgetChoice},
    format::ScheduleFrequency,
    schedule::Schedule,
    template::{Branding, TemplateSettings},
};
use serde_json::{Map, Value};

use crate::{form::Form, parts::form::SEEN, refusal::Refusal};

/// The value that a ticked box sends.
pub(super) const YES: &str = "yes";

/// The button that opens a section.
pub(super) const OPEN: &str = "open";
/// The field that says which section is open.
pub(super) const OPENED: &str = "opened";

/// The fields as they were typed, or are stored.
#[derive(Debug)]
pub(super) struct Draft {
    /// The version of the sections' form that the page was made for.
    pub(super) version: String,
    /// The state of the template that the form was filled from; empty: there is none yet.
    pub(super) seen: String,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) locale: String,
    pub(super) format: String,
    pub(super) period: String,
    pub(super) compares: bool,
    pub(super) logo_url: String,
    pub(super) accent_color: String,
    pub(super) schedule: DraftSchedule,
    /// The section whose parts have fields; empty: none. The parts of the others go along hidden, since the fields of all of them
    /// would weigh much.
    pub(super) open: String,
    /// All sections that there are, in their order.
    pub(super) sections: Vec<DraftSection>,
}

/// When a report is made by itself.
#[derive(Debug)]
pub(super) struct DraftSchedule {
    /// How often; empty: never.
    pub(super) frequency: String,
    pub(super) is_on: bool,
    pub(super) weekday: String,
    pub(super) day_of_month: String,
    pub(super) hour: String,
    pub(super) timezone: String,
}

/// A section, whether or not it is on.
#[derive(Debug)]
pub(super) struct DraftSection {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) description: &'static str,
    pub(super) is_on: bool,
    pub(super) title: String,
    /// All widgets that it may have, in their order.
    pub(super) widgets: Vec<DraftWidget>,
}

/// A widget, whether or not it is on.
#[derive(Debug)]
pub(super) struct DraftWidget {
    pub(super) widget: &'static ReportWidget,
    pub(super) is_on: bool,
    pub(super) title: String,
    /// The texts that were typed into the fields of its configuration.
    typed: HashMap<&'static str, Vec<String>>,
}

impl Draft {
    /// A template that was not stored yet.
    pub(super) fn new(catalogue: &Catalogue) -> Self {
        Self::stored(catalogue, &TemplateSettings::ready_made(String::new(), catalogue))
    }

    /// A stored template. Sections and widgets that this installation does not have are left out.
    pub(super) fn stored(catalogue: &Catalogue, settings: &TemplateSettings) -> Self {
        let chosen = &settings.sections.sections;
        let order = chosen.iter().map(|choice| choice.section.as_str());
        let sections = ordered(catalogue.sections(), section_name, order);
        let of = |known: &CatalogueSection| {
            let choice = chosen.iter().find(|choice| choice.section == section_name(known));
            DraftSection::stored(known, choice)
        };
        Self {
            version: settings.sections.version.to_string(),
            seen: String::new(),
            name: settings.name.clone(),
            description: settings.description.clone().unwrap_or_default(),
            locale: settings.locale.to_string(),
            format: settings.format.to_string(),
            period: settings.default_period.to_string(),
            compares: settings.compare_previous,
            logo_url: settings.branding.logo_url.clone().unwrap_or_default(),
            accent_color: settings.branding.accent_color.clone().unwrap_or_default(),
            schedule: DraftSchedule::stored(settings.schedule.as_ref()),
            open: String::new(),
            sections: sections.into_iter().map(of).collect(),
        }
    }

    /// The draft that a form sent. Names that the catalogue does not have are passed over: the page had no fields for them.
    pub(super) fn sent(catalogue: &Catalogue, form: &Form) -> Self {
        let line = |name: &str| form.one(name).trim().to_owned();
        let sections = ordered(catalogue.sections(), section_name, form.all("section"));
        // The button that opens another one comes before the one that was open.
        let open = [form.one(OPEN), form.one(OPENED)];
        let open = open.into_iter().find_map(|name| catalogue.section(name));
        Self {
            version: line("version"),
            seen: line(SEEN),
            name: line("name"),
            description: unix_lines(form.one("description")),
            locale: line("locale"),
            format: line("format"),
            period: line("default_period"),
            compares: form.one("compare_previous") == YES,
            logo_url: line("logo_url"),
            accent_color: line("accent_color"),
            schedule: DraftSchedule {
                frequency: line("frequency"),
                is_on: form.one("schedule_enabled") == YES,
                weekday: line("weekday"),
                day_of_month: line("day_of_month"),
                hour: line("hour"),
                timezone: line("timezone"),
            },
            open: open.map(section_name).unwrap_or_default().to_owned(),
            sections: sections
                .into_iter()
                .map(|known| DraftSection::sent(known, form))
                .collect(),
        }
    }

    /// The settings that it asks for, which nobody has judged yet. No browser sends a choice that there is not.
    pub(super) fn settings(&self) -> Result<TemplateSettings, Refusal> {
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Ok(TemplateSettings {
            name: self.name.clone(),
            description: given(&self.description),
            sections: SectionsConfig {
                version: self.version.parse().unwrap_or_default(),
                sections: self.sections.iter().map(DraftSection::choice).collect(),
            },
            locale: self.locale.parse().map_err(|_| Refusal::NoForm)?,
            format: self.format.parse().map_err(|_| Refusal::NoForm)?,
            default_period: self.period.parse().map_err(|_| Refusal::NoForm)?,
            compare_previous: self.compares,
            branding: Branding {
                logo_url: given(&self.logo_url),
                accent_color: given(&self.accent_color),
            },
            schedule: self.schedule.settings()?,
        })
    }

    /// Moves a section, `up:uptime`, or a widget of one, `down:uptime.kpi_row`, by one place. The first and the last can't leave
    /// the list. The section of a widget is open from then on.
    pub(super) fn shift(&mut self, what: &str) {
        let Some((way, path)) = what.split_once(':') else {
            return;
        };
        let is_up = way == "up";
        match path.split_once('.') {
            None => shift(&mut self.sections, |section| section.name == path, is_up),
            Some((section, widget)) => {
                let found = self.sections.iter_mut().find(|known| known.name == section);
                if let Some(found) = found {
                    shift(&mut found.widgets, |known| known.widget.name == widget, is_up);
                    found.name.clone_into(&mut self.open);
                }
            }
        }
    }
}

impl DraftSchedule {
    fn stored(schedule: Option<&Schedule>) -> Self {
        let Some(schedule) = schedule else {
            return Self {
                frequency: String::new(),
                is_on: true,
                weekday: "1".to_owned(),
                day_of_month: "1".to_owned(),
                hour: "8".to_owned(),
                timezone: "UTC".to_owned(),
            };
        };
        Self {
            frequency: schedule.frequency.to_string(),
            is_on: schedule.enabled,
            weekday: schedule.weekday.unwrap_or(1).to_string(),
            day_of_month: schedule.day_of_month.unwrap_or(1).to_string(),
            hour: schedule.hour.to_string(),
            timezone: schedule.timezone.clone(),
        }
    }

    fn settings(&self) -> Result<Option<Schedule>, Refusal> {
        if self.frequency.is_empty() {
            return Ok(None);
        }
        let frequency: ScheduleFrequency = self.frequency.parse().map_err(|_| Refusal::NoForm)?;
        let is_weekly = frequency == ScheduleFrequency::Weekly;
        // A text that is no number becomes a number out of bounds, which the rules of schedules refuse.
        let number = |text: &str| text.parse().unwrap_or(u32::MAX);
        Ok(Some(Schedule {
            enabled: self.is_on,
            frequency,
            weekday: is_weekly.then(|| number(&self.weekday)),
            day_of_month: (!is_weekly).then(|| number(&self.day_of_month)),
            hour: number(&self.hour),
            timezone: self.timezone.clone(),
        }))
    }
}

impl DraftSection {
    /// A section of which nothing was chosen has its usual widgets on, which are seen once it is on itself.
    fn stored(known: &CatalogueSection, choice: Option<&SectionChoice>) -> Self {
        let chosen: &[WidgetChoice] = choice.map_or(&[], |choice| choice.widgets.as_slice());
        let order = chosen.iter().map(|choice| choice.widget.as_str());
        let of = |known: &CatalogueWidget| {
            let of_widget = chosen.iter().find(|one| one.widget == known.widget.name);
            DraftWidget::stored(known.widget, of_widget, choice.is_none())
        };
        Self {
            name: section_name(known),
            label: known.label,
            description: known.description,
            is_on: choice.is_some_and(|choice| choice.enabled),
            title: choice.and_then(|choice| choice.title.clone()).unwrap_or_default(),
            widgets: ordered(&known.widgets, widget_name, order)
                .into_iter()
                .map(of)
                .collect(),
        }
    }

    fn sent(known: &CatalogueSection, form: &Form) -> Self {
        let name = section_name(known);
        let order = format!("widget.{name}");
        Self {
            name,
            label: known.label,
            description: known.description,
            is_on: form.one(&format!("on.{name}")) == YES,
            title: form.one(&format!("title.{name}")).trim().to_owned(),
            widgets: ordered(&known.widgets, widget_name, form.all(&order))
                .into_iter()
                .map(|known| DraftWidget::sent(name, known.widget, form))
                .collect(),
        }
    }

    fn choice(&self) -> SectionChoice {
        SectionChoice {
            section: self.name.to_owned(),
            enabled: self.is_on,
            title: (!self.title.is_empty()).then(|| self.title.clone()),
            widgets: self.widgets.iter().filter_map(DraftWidget::choice).collect(),
        }
    }
}

impl DraftWidget {
    fn stored(widget: &'static ReportWidget, choice: Option<&WidgetChoice>, is_usual: bool) -> Self {
        let none = Map::new();
        let config = widget.complete(choice.map_or(&none, |choice| &choice.config));
        let needs_nothing = widget.config.iter().all(|field| !field.required);
        let typed = widget.config.iter().map(|field| {
            let value = config.get(field.field).unwrap_or(&Value::Null);
            (field.field, texts_of(value))
        });
        Self {
            widget,
            is_on: choice.map_or(is_usual && widget.default_enabled && needs_nothing, |choice| {
                choice.enabled
            }),
            title: choice.and_then(|choice| choice.title.clone()).unwrap_or_default(),
            typed: typed.collect(),
        }
    }

    fn sent(section: &str, widget: &'static ReportWidget, form: &Form) -> Self {
        let path = format!("{section}.{}", widget.name);
        let typed = widget.config.iter().map(|field| {
            let name = format!("config.{path}.{}", field.field);
            let texts: Vec<String> = form.all(&name).map(str::to_owned).collect();
            (field.field, texts)
        });
        Self {
            widget,
            is_on: form.one(&format!("on.{path}")) == YES,
            title: form.one(&format!("title.{path}")).trim().to_owned(),
            typed: typed.collect(),
        }
    }

    /// The text that was typed into a field of its configuration; several texts where several are chosen.
    pub(super) fn typed(&self, field: &str) -> &[String] {
        self.typed.get(field).map_or(&[], Vec::as_slice)
    }

    /// The widget as the template has it. One that is off keeps its place and what was chosen of it, unless that is not in
    /// order: nobody has to fill in what is not shown.
    fn choice(&self) -> Option<WidgetChoice> {
        let fields = self.widget.config.iter();
        let config: Map<String, Value> = fields
            .filter_map(|field| {
                let value = value_of(field, self.typed(field.field))?;
                Some((field.field.to_owned(), value))
            })
            .collect();
        let mut judge = Judge::default();
        self.widget.judge(&config, &mut judge);
        (self.is_on || judge.or(|| ()).is_ok()).then(|| WidgetChoice {
            widget: self.widget.name.to_owned(),
            enabled: self.is_on,
            title: (!self.title.is_empty()).then(|| self.title.clone()),
            config,
        })
    }
}

fn section_name(section: &CatalogueSection) -> &'static str {
    section.name.as_str()
}

fn widget_name(known: &CatalogueWidget) -> &'static str {
    known.widget.name
}

/// All known entries, each once: first those that `order` names, then the rest.
fn ordered<'k, 'o, T>(
    known: &'k [T],
    name: fn(&T) -> &'static str,
    order: impl Iterator<Item = &'o str>,
) -> Vec<&'k T> {
    let mut placed: Vec<&T> = Vec::with_capacity(known.len());
    let named = order.filter_map(|wanted| known.iter().find(|one| name(one) == wanted));
    for one in named.chain(known) {
        if !placed.iter().any(|there| name(there) == name(one)) {
            placed.push(one);
        }
    }
    placed
}

fn shift<T>(list: &mut [T], is_it: impl Fn(&T) -> bool, is_up: bool) {
    let Some(at) = list.iter().position(is_it) else {
        return;
    };
    let other = if is_up { at.checked_sub(1) } else { Some(at + 1) };
    if let Some(other) = other.filter(|other| *other < list.len()) {
        list.swap(at, other);
    }
}

/// Browsers end lines by CR and LF.
fn unix_lines(text: &str) -> String {
    text.replace("\r\n", "\n").trim().to_owned()
}

/// A value as the field of a form shows it.
fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::Bool(true) => vec![YES.to_owned()],
        Value::Null | Value::Bool(false) => Vec::new(),
        Value::String(text) => vec![text.clone()],
        Value::Array(chosen) => chosen
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        other => vec![other.to_string()],
    }
}

/// The value that was typed into a field; `None`: it was left out. A text that is no number stays a text, which the field
/// refuses.
fn value_of(field: &ConfigField, typed: &[String]) -> Option<Value> {
    let text = typed.first().map(|text| text.trim()).unwrap_or_default();
    match field.kind {
        ConfigFieldType::Boolean => Some((!typed.is_empty()).into()),
        ConfigFieldType::MultiEnum if typed.is_empty() && field.default_value().is_null() => None,
        ConfigFieldType::MultiEnum => Some(typed.into()),
        _ if text.is_empty() => None,
        ConfigFieldType::Integer => Some(text.parse::<u64>().map_or_else(|_| text.into(), Value::from)),
        ConfigFieldType::Number => {
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
            Some(number.map_or_else(|| text.into(), Value::from))
        }
        ConfigFieldType::Text => Some(unix_lines(text).into()),
        ConfigFieldType::String | ConfigFieldType::Enum | ConfigFieldType::Date => Some(text.into()),
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::report_widget::{ConfigDefault, LIMIT};
    use serde_json::json;

    use super::*;

    fn field(kind: ConfigFieldType) -> ConfigField {
        ConfigField {
            kind,
            ..ConfigField::one_of("field", "Field", &["a", "b"])
        }
    }

    #[test]
    fn what_was_typed_is_a_value_of_its_type() {
        let typed = |kind, texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            value_of(&field(kind), &texts)
        };
        assert_eq!(typed(ConfigFieldType::Boolean, &[YES]), Some(json!(true)));
        assert_eq!(typed(ConfigFieldType::Boolean, &[]), Some(json!(false)));
        assert_eq!(typed(ConfigFieldType::Integer, &[" 20 "]), Some(json!(20)));
        assert_eq!(typed(ConfigFieldType::Integer, &["many"]), Some(json!("many")));
        assert_eq!(typed(ConfigFieldType::Integer, &[""]), None);
        assert_eq!(typed(ConfigFieldType::Number, &["2.5"]), Some(json!(2.5)));
        assert_eq!(typed(ConfigFieldType::Number, &["inf"]), Some(json!("inf")));
        assert_eq!(typed(ConfigFieldType::Text, &["a\r\nb"]), Some(json!("a\nb")));
        assert_eq!(
            typed(ConfigFieldType::MultiEnum, &["b", "a"]),
            Some(json!(["b", "a"]))
        );
        assert_eq!(
            typed(ConfigFieldType::MultiEnum, &[]),
            Some(json!([])),
            "its default is some of them"
        );
        let free = ConfigField {
            default: ConfigDefault::None,
            ..field(ConfigFieldType::MultiEnum)
        };
        assert_eq!(value_of(&free, &[]), None);
    }

    #[test]
    fn a_value_is_typed_as_it_is_shown() {
        for value in [json!(20), json!("a b")] {
            let texts = texts_of(&value);
            assert_eq!(texts.len(), 1);
        }
        assert_eq!(value_of(&LIMIT, &texts_of(&json!(20))), Some(json!(20)));
        assert_eq!(texts_of(&json!(["a", "b"])), ["a", "b"]);
        assert_eq!(texts_of(&json!(null)), [""; 0]);
    }

    #[test]
    fn what_is_named_comes_first_and_each_once() {
        let known = ["a", "b", "c"];
        let placed = ordered(&known, |name| *name, ["c", "x", "a", "c"].into_iter());
        assert_eq!(placed, [&"c", &"a", &"b"]);
    }

    #[test]
    fn the_first_goes_no_further_up_and_the_last_no_further_down() {
        let mut list = ["a", "b", "c"];
        shift(&mut list, |one| *one == "b", true);
        assert_eq!(list, ["b", "a", "c"]);
        shift(&mut list, |one| *one == "b", true);
        shift(&mut list, |one| *one == "c", false);
        shift(&mut list, |one| *one == "x", false);
        assert_eq!(list, ["b", "a", "c"]);
        shift(&mut list, |one| *one == "b", false);
        assert_eq!(list, ["a", "b", "c"]);
    }
}
