//! The options of a widget, and the check of those that were chosen.

use serde_json::{Map, Value};

use super::ReportWidget;
use crate::{day::Day, settings::Faults, wire_enum};

/// How long a text may be, in characters.
pub const MOST_TEXT: u32 = 5_000;
/// How long a string may be, in characters.
const MOST_STRING: usize = 200;

wire_enum! {
    /// The type of a field of a widget's configuration.
    ConfigFieldType as "ReportConfigFieldType" {
        /// Yes or no.
        Boolean = "boolean",
        /// A whole number.
        Integer = "integer",
        /// A number.
        Number = "number",
        /// One line.
        String = "string",
        /// One of the options.
        Enum = "enum",
        /// Some of the options, each once.
        MultiEnum = "multi_enum",
        /// A day, YYYY-MM-DD.
        Date = "date",
        /// Lines.
        Text = "text",
    }
}

/// A field of a widget's configuration.
#[derive(Clone, Copy, Debug)]
pub struct ConfigField {
    /// The name by which templates set it.
    pub field: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// The type of its values.
    pub kind: ConfigFieldType,
    /// Whether it must be given.
    pub required: bool,
    /// Its value where it is left out.
    pub default: ConfigDefault,
    /// The options of an enum.
    pub options: &'static [&'static str],
    /// The least number, or the least length in characters.
    pub min: Option<u32>,
    /// The largest number, or the greatest length in characters.
    pub max: Option<u32>,
}

/// The value of a field that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigDefault {
    /// None.
    None,
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Whole(u32),
    /// An option, or a text.
    Name(&'static str),
}

/// How many rows a table has.
pub const LIMIT: ConfigField = ConfigField {
    field: "limit",
    label: "Rows",
    kind: ConfigFieldType::Integer,
    required: false,
    default: ConfigDefault::Whole(10),
    options: &[],
    min: Some(1),
    max: Some(100),
};

impl ConfigField {
    /// One of several options; the first is the default.
    #[must_use]
    pub const fn one_of(field: &'static str, label: &'static str, options: &'static [&'static str]) -> Self {
        Self {
            field,
            label,
            kind: ConfigFieldType::Enum,
            required: false,
            default: match options.first() {
                Some(first) => ConfigDefault::Name(first),
                None => ConfigDefault::None,
            },
            options,
            min: None,
            max: None,
        }
    }

    /// The default as JSON: for several options a list of the one.
    #[must_use]
    pub fn default_value(&self) -> Value {
        match self.default {
            ConfigDefault::None => Value::Null,
            ConfigDefault::Flag(flag) => flag.into(),
            ConfigDefault::Whole(number) => number.into(),
            ConfigDefault::Name(name) if self.kind == ConfigFieldType::MultiEnum => vec![name].into(),
            ConfigDefault::Name(name) => name.into(),
        }
    }

    /// The fault of a value; `None`: it is in order.
    fn fault(&self, value: &Value) -> Option<String> {
        match self.kind {
            ConfigFieldType::Boolean => (!value.is_boolean()).then(|| "true or false".to_owned()),
            ConfigFieldType::Integer => {
                let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
                let fits = number.is_some_and(|number| self.holds(f64::from(number)));
                (!fits).then(|| format!("a whole number{}", self.bounds()))
            }
            ConfigFieldType::Number => {
                let fits = value.as_f64().is_some_and(|number| self.holds(number));
                (!fits).then(|| format!("a number{}", self.bounds()))
            }
            ConfigFieldType::String => {
                let fits = |text: &str| self.fits(text, MOST_STRING) && !text.chars().any(char::is_control);
                (!value.as_str().is_some_and(fits)).then(|| format!("one line{}", self.length(MOST_STRING)))
            }
            ConfigFieldType::Text => {
                let most = MOST_TEXT as usize;
                let is_plain = |text: &str| text.chars().all(|one| one == '\n' || !one.is_control());
                let fits = |text: &str| self.fits(text, most) && is_plain(text);
                (!value.as_str().is_some_and(fits)).then(|| format!("a text{}", self.length(most)))
            }
            ConfigFieldType::Date => {
                let fits = |text: &str| text.parse::<Day>().is_ok();
                (!value.as_str().is_some_and(fits)).then(|| "a day, YYYY-MM-DD".to_owned())
            }
            ConfigFieldType::Enum => {
                (!self.is_option(value)).then(|| format!("not one of {}", self.options.join(", ")))
            }
            ConfigFieldType::MultiEnum => {
                let fits = value.as_array().is_some_and(|chosen| {
                    let is_once = |at: usize, one: &Value| !chosen[..at].contains(one);
                    !chosen.is_empty()
                        && chosen
                            .iter()
                            .enumerate()
                            .all(|(at, one)| self.is_option(one) && is_once(at, one))
                });
                (!fits).then(|| format!("a list of some of {}, each once", self.options.join(", ")))
            }
        }
    }

    fn is_option(&self, value: &Value) -> bool {
        value.as_str().is_some_and(|name| self.options.contains(&name))
    }

    fn holds(&self, number: f64) -> bool {
        self.min.is_none_or(|min| number >= f64::from(min))
            && self.max.is_none_or(|max| number <= f64::from(max))
    }

    fn fits(&self, text: &str, most: usize) -> bool {
        let length = text.chars().count();
        length >= self.min.unwrap_or(0) as usize && length <= self.max.map_or(most, |max| max as usize)
    }

    fn bounds(&self) -> String {
        match (self.min, self.max) {
            (Some(min), Some(max)) => format!(" of {min} to {max}"),
            (Some(min), None) => format!(" of {min} or more"),
            (None, Some(max)) => format!(" of {max} or less"),
            (None, None) => String::new(),
        }
    }

    fn length(&self, most: usize) -> String {
        let most = self.max.map_or(most, |max| max as usize);
        match self.min {
            Some(min) => format!(" of {min} to {most} characters"),
            None => format!(" of at most {most} characters"),
        }
    }
}

impl ReportWidget {
    /// Judges a configuration that a caller gave: fields that the widget does not have, values that can't be, required
    /// fields that are missing. Null is a field that is left out.
    pub fn judge(&self, given: &Map<String, Value>, faults: &mut Faults) {
        for (name, value) in given {
            match self.config.iter().find(|field| field.field == name) {
                None => {
                    let known: Vec<&str> = self.config.iter().map(|field| field.field).collect();
                    let detail = if known.is_empty() {
                        "unknown; the widget has nothing to choose".to_owned()
                    } else {
                        format!("unknown; the widget has {}", known.join(", "))
                    };
                    faults.of_name(name, detail);
                }
                Some(field) if !value.is_null() => {
                    if let Some(fault) = field.fault(value) {
                        faults.add(name, fault);
                    }
                }
                Some(_) => {}
            }
        }
        for field in self.config.iter().filter(|field| field.required) {
            if given.get(field.field).is_none_or(Value::is_null) {
                faults.add(field.field, "must be given");
            }
        }
    }

    /// A configuration that is in order, with the defaults of the fields that it leaves out. A field that this version
    /// refuses, such as an option that is no more, counts as left out.
    #[must_use]
    pub fn complete(&self, given: &Map<String, Value>) -> Map<String, Value> {
        self.config
            .iter()
            .map(|field| {
                let value = given
                    .get(field.field)
                    .filter(|value| !value.is_null() && field.fault(value).is_none());
                let value = value.cloned().unwrap_or_else(|| field.default_value());
                (field.field.to_owned(), value)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::report_widget::{Empty, WidgetKind};

    const WIDGET: ReportWidget = ReportWidget {
        name: "top_table",
        label: "",
        description: "",
        kind: WidgetKind::Table,
        default_enabled: true,
        config: &[
            LIMIT,
            ConfigField::one_of("sort", "Order", &["visitors", "pageviews"]),
            ConfigField {
                kind: ConfigFieldType::Text,
                field: "text",
                label: "Text",
                required: true,
                default: ConfigDefault::None,
                options: &[],
                min: Some(1),
                max: Some(5),
            },
            ConfigField {
                kind: ConfigFieldType::MultiEnum,
                ..ConfigField::one_of("columns", "Columns", &["a", "b"])
            },
        ],
        rows: Some("items"),
        fields: &[],
        empty: Empty::NoData,
        measured_by: None,
    };

    fn faults(given: &Value) -> Vec<String> {
        let mut faults = Faults::default();
        WIDGET.judge(given.as_object().unwrap(), &mut faults);
        let found = faults.or(|| ()).err().unwrap_or_default();
        found.into_iter().map(|fault| fault.pointer).collect()
    }

    #[test]
    fn every_fault_of_a_configuration_is_told() {
        assert_eq!(faults(&json!({ "text": "good" })), [""; 0]);
        assert_eq!(
            faults(&json!({ "text": "a\nb", "limit": 100, "sort": "pageviews", "columns": ["b", "a"] })),
            [""; 0]
        );
        let all = json!({
            "colour": 1, "columns": ["a", "a"], "limit": 0, "sort": "size", "text": "too long"
        });
        assert_eq!(faults(&all), ["/colour", "/columns", "/limit", "/sort", "/text"]);
        assert_eq!(
            faults(&json!({ "limit": 1.5, "text": null })),
            ["/limit", "/text"]
        );
        assert_eq!(
            faults(&json!({ "text": "a\tb", "columns": [] })),
            ["/columns", "/text"]
        );
        assert_eq!(
            faults(&json!({ "text": "日本語です" })),
            [""; 0],
            "characters are counted, not bytes"
        );
    }

    #[test]
    fn each_type_takes_its_values_and_no_others() {
        use ConfigFieldType::{Boolean, Date, Enum, Integer, MultiEnum, Number, String, Text};
        let bounded = ConfigField {
            min: Some(2),
            max: Some(4),
            ..ConfigField::one_of("field", "Field", &["a", "b"])
        };
        let long = "x".repeat(201);
        for (kind, right, wrong) in [
            (Boolean, vec![json!(true)], vec![json!("true"), json!(1)]),
            (
                Integer,
                vec![json!(2), json!(4)],
                vec![json!(1), json!(5), json!(2.5), json!("2")],
            ),
            (
                Number,
                vec![json!(2), json!(2.5)],
                vec![json!(1.9), json!(4.1), json!("2.5")],
            ),
            (
                String,
                vec![json!("ab"), json!("日本語")],
                vec![json!("a"), json!("abcde"), json!("a\nb")],
            ),
            (
                Text,
                vec![json!("a\nb")],
                vec![json!("a"), json!("abcde"), json!("a\tb"), json!(["ab"])],
            ),
            (Enum, vec![json!("b")], vec![json!("c"), json!(["a"])]),
            (
                MultiEnum,
                vec![json!(["b"]), json!(["b", "a"])],
                vec![json!("a"), json!([]), json!(["a", "a"]), json!(["c"])],
            ),
            (
                Date,
                vec![json!("2026-02-28")],
                vec![json!("2026-02-30"), json!("28.02.2026"), json!(20_260_228)],
            ),
        ] {
            let field = ConfigField { kind, ..bounded };
            for value in right {
                assert_eq!(field.fault(&value), None, "{kind} {value}");
            }
            for value in wrong {
                assert!(field.fault(&value).is_some(), "{kind} {value}");
            }
        }
        let unbounded = ConfigField {
            kind: String,
            min: None,
            max: None,
            ..bounded
        };
        assert!(unbounded.fault(&json!(long)).is_some(), "a line has an end");
    }

    #[test]
    fn the_default_of_options_is_a_choice_of_them() {
        for kind in [ConfigFieldType::Enum, ConfigFieldType::MultiEnum] {
            let field = ConfigField {
                kind,
                ..ConfigField::one_of("columns", "Columns", &["a", "b"])
            };
            assert_eq!(field.fault(&field.default_value()), None, "{kind}");
        }
    }

    #[test]
    fn fields_that_are_left_out_have_their_defaults() {
        let given = json!({ "sort": "no such", "limit": null });
        let complete = WIDGET.complete(given.as_object().unwrap());
        assert_eq!(
            Value::Object(complete),
            json!({ "limit": 10, "sort": "visitors", "text": null, "columns": ["a"] })
        );
    }
}
