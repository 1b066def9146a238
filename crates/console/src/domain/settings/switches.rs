//! The modules that pages of the site send to: each a form of switches over the settings of its group.

use maud::{Markup, html};
use pharos_analytics::settings::AnalyticsSettings;
use pharos_domain::{module::Module, settings::SettingFault};
use pharos_vitals::settings::VitalsSettings;
use serde_json::Value;

use super::{Changed, action, changed, judged};
use crate::{
    console::Console,
    enter::AtDomain,
    form::Form,
    parts::form::{Faults, SEEN, as_seen, state, tick},
    refusal::Refusal,
};

/// A switch of settings.
struct Switch<S> {
    /// Its name in the API.
    name: &'static str,
    label: &'static str,
    of: fn(&mut S) -> &mut bool,
}

const ANALYTICS: &[Switch<AnalyticsSettings>] = &[
    Switch {
        name: "enabled",
        label: "Measure visits",
        of: |settings| &mut settings.enabled,
    },
    Switch {
        name: "store_page_titles",
        label: "Store titles of pages",
        of: |settings| &mut settings.store_page_titles,
    },
    Switch {
        name: "store_search_terms",
        label: "Store what visitors search for on the site",
        of: |settings| &mut settings.store_search_terms,
    },
];

const VITALS: &[Switch<VitalsSettings>] = &[
    Switch {
        name: "enabled",
        label: "Measure how fast pages are for visitors",
        of: |settings| &mut settings.enabled,
    },
    Switch {
        name: "collect_attribution",
        label: "Ask browsers what caused a value",
        of: |settings| &mut settings.collect_attribution,
    },
    Switch {
        name: "collect_resources",
        label: "Ask browsers what pages load",
        of: |settings| &mut settings.collect_resources,
    },
    Switch {
        name: "collect_errors",
        label: "Ask browsers for errors",
        of: |settings| &mut settings.collect_errors,
    },
    Switch {
        name: "soft_navigations",
        label: "Count route changes within a page as views",
        of: |settings| &mut settings.soft_navigations,
    },
    Switch {
        name: "respect_dnt",
        label: "Leave browsers alone that ask not to be tracked, while this is on: their visits are not counted either",
        of: |settings| &mut settings.respect_dnt,
    },
];

/// The switches of a module as they stand: its settings, or those that it begins with, not yet switched on.
fn stand<S: Clone + Default>(switches: &[Switch<S>], stored: Option<S>) -> Vec<bool> {
    let is_new = stored.is_none();
    let mut settings = stored.unwrap_or_default();
    switches
        .iter()
        .map(|switch| *(switch.of)(&mut settings) && !(is_new && switch.name == "enabled"))
        .collect()
}

/// The state of switches, that a form is filled from.
fn state_of(stand: &[bool]) -> String {
    state(stand.iter().map(|is_on| if *is_on { "on" } else { "off" }))
}

/// The settings with the switches as a form has them, unless it was filled from another state than they have at the time of the
/// change.
fn switched<S: Clone + Default>(
    switches: &[Switch<S>],
    sent: &Form,
    present: Option<&S>,
) -> Result<S, Vec<SettingFault>> {
    as_seen(sent.one(SEEN), &state_of(&stand(switches, present.cloned())))?;
    let mut settings = present.cloned().unwrap_or_default();
    for switch in switches {
        *(switch.of)(&mut settings) = is_on(sent, switch.name);
    }
    Ok(settings)
}

fn is_on(sent: &Form, name: &str) -> bool {
    sent.all("on").any(|on| on == name)
}

/// The details of the change for the audit trail.
fn details<S>(switches: &[Switch<S>], sent: &Form) -> Value {
    let members = switches.iter().map(|switch| {
        let name = switch.name.to_owned();
        (name, Value::Bool(is_on(sent, switch.name)))
    });
    Value::Object(members.collect())
}

/// Changes the switches of a module, as the API's PUT does; gives the faults of the form where it has some.
pub(super) async fn submit(
    console: &Console,
    here: &AtDomain,
    module: Module,
    sent: &Form,
) -> Result<Result<(), Faults>, Refusal> {
    let (by, now) = (here.user.session.user, console.parts.clock.now());
    let sites = &console.parts.collection;
    let outcome = match module {
        Module::Analytics => {
            let noted = changed(console, here, module, details(ANALYTICS, sent));
            // A currency that went out of use since it was set keeps no switch from being changed.
            let change = |present: Option<&AnalyticsSettings>| switched(ANALYTICS, sent, present);
            judged(sites.analytics.update(&noted, &change, by, now).await)?
        }
        Module::Rum => {
            let noted = changed(console, here, module, details(VITALS, sent));
            let change = |present: Option<&VitalsSettings>| {
                switched(VITALS, sent, present).and_then(VitalsSettings::checked)
            };
            judged(sites.vitals.update(&noted, &change, by, now).await)?
        }
        _ => return Err(Refusal::NoForm),
    };
    match outcome {
        Changed::Done => Ok(Ok(())),
        Changed::Faulty(faults) => Ok(Err(faults)),
    }
}

/// The forms of the modules that the plan has; `wrong`: the one that was sent, and what is wrong with it.
pub(super) async fn sections(
    console: &Console,
    here: &AtDomain,
    wrong: Option<&(Module, Faults)>,
) -> Result<Markup, Refusal> {
    let sites = &console.parts.collection;
    let (analytics, vitals) = tokio::try_join!(
        sites.analytics.view(&here.access),
        sites.vitals.view(&here.access)
    )?;
    let analytics = stand(ANALYTICS, analytics.map(|site| site.settings));
    let vitals = stand(VITALS, vitals.map(|site| site.settings));
    let told = |module: Module| match wrong {
        Some((of, faults)) if *of == module => faults.summary(),
        _ => html! {},
    };
    Ok(html! {
        @if here.has(Module::Analytics) {
            (told(Module::Analytics))
            (section(here, Module::Analytics, "Visitors", ANALYTICS, &analytics))
        }
        @if here.has(Module::Rum) {
            (told(Module::Rum))
            (section(here, Module::Rum, "Vitals", VITALS, &vitals))
        }
    })
}

fn section<S>(
    here: &AtDomain,
    module: Module,
    title: &str,
    switches: &[Switch<S>],
    stand: &[bool],
) -> Markup {
    let name = module.as_str();
    html! {
        form.card method="post" action=(action(here)) aria-labelledby={ (name) "-head" } {
            h3 id={ (name) "-head" } { (title) }
            (here.user.token_field())
            input type="hidden" name="do" value=(name);
            input type="hidden" name=(SEEN) value=(state_of(stand));
            @for (switch, is_on) in switches.iter().zip(stand) {
                (tick(&format!("{name}-{}", switch.name), "on", switch.name, &html! { (switch.label) }, *is_on))
            }
            div.actions { button type="submit" { "Save " (title) } }
        }
    }
}
