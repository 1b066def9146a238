//! The way from figures on a page to rules that watch them.

use maud::{Markup, html};
use pharos_domain::{alert_metric::AlertMetric, module::Module};

use super::{CHANGERS, path};
use crate::{console::Console, enter::AtDomain};

/// Links to the forms of rules on those metrics of a module whose names `is_shown` knows, for those who may make one.
pub(crate) fn offer(
    console: &Console,
    here: &AtDomain,
    module: Module,
    is_shown: impl Fn(&str) -> bool,
) -> Markup {
    if here.role() < CHANGERS || !here.has(Module::Alerts) || here.writable().is_err() {
        return html! {};
    }
    let mut modules = console.parts.alert_metrics.modules();
    let Some(of) = modules.find(|of| Module::from(of.module) == module) else {
        return html! {};
    };
    let metrics: Vec<&AlertMetric> = of.metrics.iter().filter(|metric| is_shown(metric.name)).collect();
    html! {
        @if !metrics.is_empty() {
            p.note.offer {
                "Alert on this: "
                @for (at, metric) in metrics.iter().enumerate() {
                    @if at > 0 { ", " }
                    a href={ (path(here)) "/new?module=" (of.module) "&metric=" (metric.name) } { (metric.label) }
                }
            }
        }
    }
}
