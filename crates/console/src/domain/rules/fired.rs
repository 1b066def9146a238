//! The last alerts of a domain's rules.

use maud::{Markup, html};
use pharos_alerting::alert::Alert;
use pharos_domain::ids::IncidentId;

use crate::{
    domain::alerts::severity,
    enter::AtDomain,
    nav::domain_path,
    page::moment,
    parts::{
        notice,
        table::{Column, Table},
    },
    shown::shown,
};

/// The alerts, the newest first. Their messages tell the rules on one metric apart.
pub(super) fn table(here: &AtDomain, alerts: &[Alert]) -> Markup {
    let table = Table {
        caption: "What fired",
        columns: &[
            Column::text("What"),
            Column::text("Severity"),
            Column::text("Fired").spare(),
            Column::text("Over").spare(),
        ],
        rows: alerts
            .iter()
            .map(|alert| {
                vec![
                    html! {
                        @match incident(alert) {
                            Some(id) => {
                                a href={ (domain_path(here.id(), "incidents")) "/" (id) } {
                                    bdi { (shown(&alert.told.title)) }
                                }
                            }
                            None => { bdi { (shown(&alert.told.title)) } }
                        }
                        " " bdi.note { (shown(&alert.told.message)) }
                        // Their columns have no room on a narrow screen.
                        div.narrow.note {
                            "Fired " (moment(alert.told.fired_at)) ", "
                            @match alert.resolved_at { Some(at) => { "over " (moment(at)) }, None => "in force" }
                        }
                    },
                    severity(alert.told.severity),
                    moment(alert.told.fired_at),
                    html! { @match alert.resolved_at { Some(at) => (moment(at)), None => "in force" } },
                ]
            })
            .collect(),
    };
    table.show(&notice::empty(
        "Nothing has fired",
        &html! { p { "What fires shows here, for a year." } },
    ))
}

/// The incident that an alert is about.
fn incident(alert: &Alert) -> Option<IncidentId> {
    alert.told.context.get("incident_id")?.as_str()?.parse().ok()
}
