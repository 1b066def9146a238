//! The settings of how visits and speed are collected, besides the switches: the currency, a share of page loads, hosts, and lists of what is left
//! out.

use maud::{Markup, html};
use pharos_analytics::settings::AnalyticsSettings;
use pharos_domain::{module::Module, settings::SettingFault};
use pharos_vitals::settings::{UrlGroup, VitalsSettings};
use serde_json::{Map, Value};

use super::{
    Changed, action, changed,
    entries::{lines, tell},
    judged,
};
use crate::{
    console::Console,
    enter::AtDomain,
    form::Form,
    parts::form::{Faults, Field, SEEN, as_seen, state},
    refusal::Refusal,
};

/// A field of one of the forms.
struct Text {
    /// The name of its setting in the API.
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    /// Whether it has an entry a line.
    is_list: bool,
}

const ANALYTICS: &[Text] = &[
    Text {
        name: "currency",
        label: "Currency of the shop",
        hint: "A code of ISO 4217, such as EUR.",
        is_list: false,
    },
    Text {
        name: "search_params",
        label: "Names of the query that carry a search of the site",
        hint: "One a line, such as q.",
        is_list: true,
    },
    Text {
        name: "download_extensions",
        label: "Extensions of files that are downloads",
        hint: "One a line, without the dot.",
        is_list: true,
    },
    Text {
        name: "allowed_hosts",
        label: "Further hosts whose pages send",
        hint: "One a line, such as checkout.example, or *.cdn.example for all below. The domain and what lies below it may anyway.",
        is_list: true,
    },
    Text {
        name: "excluded_paths",
        label: "Paths that are left out",
        hint: "One a line, such as /admin/*.",
        is_list: true,
    },
    Text {
        name: "excluded_ips",
        label: "Networks that are left out",
        hint: "One a line, such as 192.0.2.0/24.",
        is_list: true,
    },
    Text {
        name: "excluded_query_params",
        label: "Names of the query that are taken out of addresses",
        hint: "One a line.",
        is_list: true,
    },
];

const VITALS: &[Text] = &[
    Text {
        name: "sample_rate",
        label: "Share of page loads that is measured",
        hint: "From 0 to 1.",
        is_list: false,
    },
    Text {
        name: "ignored_query_params",
        label: "Names of the query that never count",
        hint: "One a line.",
        is_list: true,
    },
    Text {
        name: "url_groups",
        label: "Pages that count as one",
        hint: "One group a line: a pattern, a space, and the path that stands for them all, such as /p/* /p/:product.",
        is_list: true,
    },
    Text {
        name: "excluded_paths",
        label: "Paths that are left out",
        hint: "One a line, such as /admin/*.",
        is_list: true,
    },
    Text {
        name: "excluded_countries",
        label: "Countries that are left out",
        hint: "One a line, by the codes of ISO 3166-1, such as DE.",
        is_list: true,
    },
];

/// The fields of a module's form, as they are typed.
pub(super) struct Fields {
    module: Module,
    /// The state of the settings that the form was filled from.
    seen: String,
    /// In the order of [`texts`].
    values: Vec<String>,
}

/// The fields that the form of a module has.
fn texts(module: Module) -> &'static [Text] {
    match module {
        Module::Analytics => ANALYTICS,
        Module::Rum => VITALS,
        _ => &[],
    }
}

/// Stands before the names of settings in those of fields: both forms have settings of one name.
fn prefix(module: Module) -> String {
    format!("{module}_")
}

/// The settings of a site whose visits nobody has switched on.
fn no_analytics() -> AnalyticsSettings {
    AnalyticsSettings {
        enabled: false,
        ..AnalyticsSettings::default()
    }
}

/// The settings of a site whose speed nobody has switched on.
fn no_vitals() -> VitalsSettings {
    VitalsSettings {
        enabled: false,
        ..VitalsSettings::default()
    }
}

impl Fields {
    /// Those of the stored settings, or of those that a site begins with.
    pub(super) async fn stored(console: &Console, here: &AtDomain, module: Module) -> Result<Self, Refusal> {
        let sites = &console.parts.collection;
        Ok(if module == Module::Analytics {
            let site = sites.analytics.view(&here.access).await?;
            Self::of_analytics(site.map_or_else(no_analytics, |site| site.settings))
        } else {
            let site = sites.vitals.view(&here.access).await?;
            Self::of_vitals(&site.map_or_else(no_vitals, |site| site.settings))
        })
    }

    fn of_analytics(settings: AnalyticsSettings) -> Self {
        let networks: Vec<String> = settings.excluded_ips.iter().map(ToString::to_string).collect();
        let values = vec![
            settings.currency,
            settings.search_params.join("\n"),
            settings.download_extensions.join("\n"),
            settings.allowed_hosts.join("\n"),
            settings.excluded_paths.join("\n"),
            networks.join("\n"),
            settings.excluded_query_params.join("\n"),
        ];
        Self::of(Module::Analytics, values)
    }

    fn of_vitals(settings: &VitalsSettings) -> Self {
        let groups = settings.url_groups.iter();
        let groups: Vec<String> = groups
            .map(|group| format!("{} {}", group.pattern, group.label))
            .collect();
        let values = vec![
            settings.sample_rate.to_string(),
            settings.ignored_query_params.join("\n"),
            groups.join("\n"),
            settings.excluded_paths.join("\n"),
            settings.excluded_countries.join("\n"),
        ];
        Self::of(Module::Rum, values)
    }

    fn of(module: Module, values: Vec<String>) -> Self {
        Self {
            module,
            seen: state(values.iter().map(String::as_str)),
            values,
        }
    }

    fn sent(form: &Form, module: Module) -> Self {
        let prefix = prefix(module);
        let value = |text: &Text| form.one(&format!("{prefix}{}", text.name)).to_owned();
        Self {
            module,
            seen: form.one(SEEN).to_owned(),
            values: texts(module).iter().map(value).collect(),
        }
    }

    /// The text of a setting.
    fn text(&self, name: &str) -> &str {
        let mut fields = texts(self.module).iter().zip(&self.values);
        let found = fields.find(|(text, _)| text.name == name);
        found.map(|(_, value)| value.trim()).unwrap_or_default()
    }

    fn list(&self, name: &str) -> Vec<String> {
        lines(self.text(name))
    }

    /// The settings of visits that they make of the present ones, by the rules of the API.
    fn analytics(&self, present: Option<&AnalyticsSettings>) -> Result<AnalyticsSettings, Vec<SettingFault>> {
        let settings = AnalyticsSettings {
            currency: self.text("currency").to_owned(),
            search_params: self.list("search_params"),
            download_extensions: self.list("download_extensions"),
            allowed_hosts: self.list("allowed_hosts"),
            excluded_paths: self.list("excluded_paths"),
            excluded_query_params: self.list("excluded_query_params"),
            ..present.cloned().unwrap_or_else(no_analytics)
        };
        settings.checked(Some(&self.list("excluded_ips")))
    }

    /// The settings of speed that they make of the present ones, by the rules of the API.
    fn vitals(&self, present: Option<&VitalsSettings>) -> Result<VitalsSettings, Vec<SettingFault>> {
        let groups = self.list("url_groups");
        let groups = groups.iter().map(|line| {
            let (pattern, label) = line
                .split_once(char::is_whitespace)
                .unwrap_or((line.as_str(), ""));
            UrlGroup {
                pattern: pattern.to_owned(),
                label: label.trim().to_owned(),
            }
        });
        let settings = VitalsSettings {
            // No text but a number is from 0 to 1.
            sample_rate: self.text("sample_rate").parse().unwrap_or(f64::NAN),
            ignored_query_params: self.list("ignored_query_params"),
            url_groups: groups.collect(),
            excluded_paths: self.list("excluded_paths"),
            excluded_countries: self.list("excluded_countries"),
            ..present.cloned().unwrap_or_else(no_vitals)
        };
        settings.checked()
    }

    /// The details of the change for the audit trail. They are in order, so that they can be stored.
    fn details(&self) -> Value {
        let fields = texts(self.module).iter();
        let members = fields.map(|text| {
            let value = if text.is_list {
                Value::from(self.list(text.name))
            } else {
                Value::from(self.text(text.name))
            };
            (text.name.to_owned(), value)
        });
        Value::Object(members.collect::<Map<String, Value>>())
    }
}

/// Changes the settings; gives the fields back with their faults where they have some.
pub(super) async fn submit(
    console: &Console,
    here: &AtDomain,
    module: Module,
    sent: &Form,
) -> Result<Result<(), (Fields, Faults)>, Refusal> {
    let fields = Fields::sent(sent, module);
    let found = if module == Module::Analytics {
        fields.analytics(None).err()
    } else {
        fields.vitals(None).err()
    };
    if let Some(found) = found {
        let mut faults = Faults::default();
        tell(&prefix(module), found, &mut faults);
        return Ok(Err((fields, faults)));
    }
    let noted = changed(console, here, module, fields.details());
    let (by, now) = (here.user.session.user, console.parts.clock.now());
    let sites = &console.parts.collection;
    let outcome = if module == Module::Analytics {
        let change = |present: Option<&AnalyticsSettings>| -> Result<AnalyticsSettings, Vec<SettingFault>> {
            let there = Fields::of_analytics(present.cloned().unwrap_or_else(no_analytics));
            as_seen(&fields.seen, &there.seen)?;
            fields.analytics(present)
        };
        judged(sites.analytics.update(&noted, &change, by, now).await)?
    } else {
        let change = |present: Option<&VitalsSettings>| -> Result<VitalsSettings, Vec<SettingFault>> {
            let there = Fields::of_vitals(&present.cloned().unwrap_or_else(no_vitals));
            as_seen(&fields.seen, &there.seen)?;
            fields.vitals(present)
        };
        judged(sites.vitals.update(&noted, &change, by, now).await)?
    };
    match outcome {
        Changed::Done => Ok(Ok(())),
        Changed::Faulty(faults) => Ok(Err((fields, faults))),
    }
}

pub(super) fn section(here: &AtDomain, fields: &Fields, faults: &Faults) -> Markup {
    let module = fields.module;
    let (title, button) = match module {
        Module::Analytics => ("What is taken of visits", "Save what is taken of visits"),
        _ => ("What is taken of speed", "Save what is taken of speed"),
    };
    let prefix = prefix(module);
    html! {
        details.card open[!faults.is_empty()] {
            summary { (title) }
            (faults.summary())
            form method="post" action=(action(here)) {
                (here.user.token_field())
                input type="hidden" name="do" value={ (module) "-lists" };
                input type="hidden" name=(SEEN) value=(fields.seen);
                @for (text, value) in texts(module).iter().zip(&fields.values) {
                    @let name = format!("{prefix}{}", text.name);
                    @let field = Field::new(&name, text.label, value).hint(text.hint).faults(faults);
                    @if text.is_list { (field.optional().area(3)) } @else { (field.max(20).line()) }
                }
                div.actions { button type="submit" { (button) } }
            }
        }
    }
}
