//! The tabs of a domain's pages. It knows none of the pages, since all of them have it.

use maud::{Markup, html};
use pharos_domain::module::Module;

use super::add::CHANGERS;
use crate::{enter::AtDomain, nav::domain_path, words};

/// The pages of a domain's monitoring, below `/console/domains/{domain_id}`. Those of the other modules follow.
const OF_DOMAIN: &[(&str, &str)] = &[("", "Monitoring"), ("incidents", "Incidents")];

/// The modules that have a page, in the order of their tabs, each with its name for people. Uptime has pages of its own.
pub(super) const MODULES: &[(Module, &str)] = &[
    (Module::Analytics, words::module(Module::Analytics)),
    (Module::Rum, words::module(Module::Rum)),
    (Module::Crux, words::module(Module::Crux)),
    (Module::Synthetic, words::module(Module::Synthetic)),
    (Module::Gsc, words::module(Module::Gsc)),
    (Module::Indexing, words::module(Module::Indexing)),
    (Module::Robots, words::module(Module::Robots)),
    (Module::Sitemap, words::module(Module::Sitemap)),
];

/// Where alert rules are, below the domain's page.
pub(super) const ALERTS: &str = "alerts";
/// Where the settings are, below the domain's page.
pub(super) const SETTINGS: &str = "settings";

/// The tabs of a domain, `current` being one's path: its monitoring, the modules of the workspace's plan, its alerts and
/// reports, and its settings for those who may change them.
pub(super) fn tabs(here: &AtDomain, current: &str) -> Markup {
    let modules = MODULES.iter().filter(|(module, _)| here.has(*module));
    let modules = modules.map(|(module, label)| (module.as_str(), *label));
    let reports = here.has(Module::Reports).then_some(("reports", "Reports"));
    let alerts = here.has(Module::Alerts).then_some((ALERTS, "Alerts"));
    let settings = (here.role() >= CHANGERS).then_some((SETTINGS, "Settings"));
    html! {
        nav.tabs aria-label="Domain" {
            @for (path, label) in OF_DOMAIN.iter().copied().chain(modules).chain(alerts).chain(reports).chain(settings) {
                a href=(domain_path(here.id(), path)) aria-current=[(path == current).then_some("page")] { (label) }
            }
        }
    }
}
