//! The section `uptime` of reports.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    incident_alerts::IncidentAlerts,
    module::Module,
    page::{ListKey, PageRequest},
    ports::{MissingPort, Ports},
    report_widget::{
        Better, ConfigField, DataField, Empty, FieldChange, FieldFormat, LIMIT, ReportSection, ReportWidget,
        ReportWindow, SectionName, WidgetAnswer, WidgetKind, WidgetQuery, WidgetStatus,
    },
};
use pharos_http::{
    extract::{
        port::Port,
        window::{Compared, ComparedFull, Dates, PeriodDays},
    },
    widgets::{OperationWidgets, Reads, parameters},
};
use pharos_uptime::{
    certificate::store::CertificateStore,
    history::HistoryStore,
    registration::store::RegistrationStore,
    store::{IncidentStore, MonitorStore},
};
use serde_json::{Map, json};

use crate::{availability, incidents, regions, response_times, ssl};

const FIGURES: ReportWidget = ReportWidget {
    name: "kpi_row",
    label: "Availability",
    description: "How much of the time the site was up, its outages, and how fast it answered.",
    kind: WidgetKind::Kpi,
    default_enabled: true,
    config: &[],
    rows: None,
    fields: &[
        DataField::new("uptime_pct", "Availability", FieldFormat::Percent).with(
            FieldChange::Points("comparison.uptime_pct.change"),
            Better::Higher,
        ),
        DataField::new("incident_count", "Outages", FieldFormat::Count).with(
            FieldChange::Percent("comparison.incident_count.change_pct"),
            Better::Lower,
        ),
        DataField::new("downtime_seconds", "Downtime", FieldFormat::Seconds).with(
            FieldChange::Percent("comparison.downtime_seconds.change_pct"),
            Better::Lower,
        ),
        DataField::new("mttr_seconds", "Mean time to recover", FieldFormat::Seconds),
        DataField::new("avg_response_ms", "Mean response time", FieldFormat::Millis).with(
            FieldChange::Percent("comparison.avg_response_ms.change_pct"),
            Better::Lower,
        ),
        DataField::new(
            "p95_response_ms",
            "95th percentile of response times",
            FieldFormat::Millis,
        ),
        DataField::new("sla_target_pct", "Promised availability", FieldFormat::Percent),
        DataField::new("sla_met", "Promise kept", FieldFormat::Flag),
    ],
    empty: Empty::NoData,
    measured_by: Some(&["checks_total", "incident_count"]),
};

/// The widgets of uptime.
const WIDGETS: &[ReportWidget] = &[
    FIGURES,
    ReportWidget {
        name: "timeseries",
        label: "Availability over time",
        description: "Availability of each day or week.",
        kind: WidgetKind::Chart,
        config: &[ConfigField::one_of("granularity", "Pieces", &["day", "week"])],
        rows: Some("items"),
        fields: &[
            DataField::new("bucket_start", "Begins", FieldFormat::Moment),
            DataField::new("uptime_pct", "Availability", FieldFormat::Percent),
        ],
        ..FIGURES
    },
    ReportWidget {
        name: "response_times",
        label: "Response times",
        description: "How long answers took, day by day.",
        kind: WidgetKind::Chart,
        rows: Some("items"),
        fields: &[
            DataField::new("bucket_start", "Begins", FieldFormat::Moment),
            DataField::new("avg_ms", "Mean", FieldFormat::Millis),
            DataField::new("p95_ms", "95th percentile", FieldFormat::Millis),
        ],
        ..FIGURES
    },
    ReportWidget {
        name: "incident_list",
        label: "Incidents",
        description: "The incidents that reach into the window, the newest first.",
        kind: WidgetKind::Table,
        config: &[LIMIT],
        rows: Some("items"),
        fields: &[
            DataField::new("started_at", "Began", FieldFormat::Moment),
            DataField::new("resolved_at", "Ended", FieldFormat::Moment),
            DataField::new("duration_seconds", "Lasted", FieldFormat::Seconds),
            DataField::new("class", "Class", FieldFormat::Word),
            DataField::new("status_code", "Status", FieldFormat::Number),
            DataField::new("error_message", "Error", FieldFormat::Text),
            DataField::new("regions_affected", "Regions", FieldFormat::Text),
        ],
        empty: Empty::IsAnswer,
        ..FIGURES
    },
    ReportWidget {
        name: "regions",
        label: "Regions",
        description: "Availability and response times as each region sees them.",
        kind: WidgetKind::Table,
        default_enabled: false,
        rows: Some("items"),
        fields: &[
            DataField::new("name", "Region", FieldFormat::Text),
            DataField::new("uptime_pct", "Availability", FieldFormat::Percent),
            DataField::new("avg_response_ms", "Mean response time", FieldFormat::Millis),
            DataField::new("p95_response_ms", "95th percentile", FieldFormat::Millis),
            DataField::new("checks_total", "Checks", FieldFormat::Count),
            DataField::new("checks_down", "Failed", FieldFormat::Count),
        ],
        ..FIGURES
    },
    ReportWidget {
        name: "certificate",
        label: "Certificate",
        description: "The certificate that the site shows now, and how long it is valid.",
        rows: None,
        fields: &[
            DataField::new("days_remaining", "Days left", FieldFormat::Days),
            DataField::new("valid_until", "Valid until", FieldFormat::Moment),
            DataField::new("issuer_common_name", "Issuer", FieldFormat::Text),
            DataField::new("protocol", "Protocol", FieldFormat::Text),
        ],
        ..FIGURES
    },
    ReportWidget {
        name: "registration",
        label: "Domain registration",
        description: "Until when the domain is registered, and with whom.",
        rows: None,
        fields: &[
            DataField::new("days_remaining", "Days left", FieldFormat::Days),
            DataField::new("expires_at", "Registered until", FieldFormat::Moment),
            DataField::new("registrable_domain", "Domain", FieldFormat::Text),
            DataField::new("registrar_name", "Registrar", FieldFormat::Text),
        ],
        ..FIGURES
    },
];

const SECTIONS: &[ReportSection] = &[ReportSection {
    name: SectionName::Uptime,
    label: "Uptime",
    description: "Whether the site was up, how fast it answered, and what ends soon.",
    requires_module: Some(Module::Uptime),
    widgets: WIDGETS,
}];

/// Gives the data of the section `uptime`.
#[derive(Clone)]
pub struct UptimeWidgets {
    monitors: Arc<dyn MonitorStore>,
    history: Arc<dyn HistoryStore>,
    incidents: Arc<dyn IncidentStore>,
    alerts: Arc<dyn IncidentAlerts>,
    certificates: Arc<dyn CertificateStore>,
    registrations: Arc<dyn RegistrationStore>,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for UptimeWidgets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UptimeWidgets").finish_non_exhaustive()
    }
}

impl UptimeWidgets {
    /// The widgets on these ports.
    ///
    /// # Errors
    /// A port is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            monitors: ports.get()?,
            history: ports.get()?,
            incidents: ports.get()?,
            alerts: ports.get()?,
            certificates: ports.get()?,
            registrations: ports.get()?,
            clock: ports.get()?,
        })
    }

    async fn availability(
        &self,
        access: DomainAccess,
        asked: Compared,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer {
        let monitors = Port(Arc::clone(&self.monitors));
        let history = Port(Arc::clone(&self.history));
        let granularity = match widget.chosen("granularity") {
            "" => "day",
            chosen => chosen,
        };
        let read = async {
            let query = parameters(json!({ "granularity": granularity }))?;
            availability::view(access, ComparedFull(asked), query, monitors, history).await
        };
        reads
            .answer(widget, format!("availability by {granularity}"), read)
            .await
    }

    async fn of_window(
        &self,
        domain: &DomainAccess,
        asked: Compared,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer {
        let (access, window) = (domain.clone(), asked.window);
        let monitors = Port(Arc::clone(&self.monitors));
        let history = Port(Arc::clone(&self.history));
        match widget.widget.name {
            "kpi_row" | "timeseries" => self.availability(access, asked, widget, reads).await,
            "response_times" => {
                let read = async {
                    let query = parameters(json!({ "granularity": "day" }))?;
                    response_times::view(access, PeriodDays(window), query, monitors, history).await
                };
                reads.answer(widget, "response times", read).await
            }
            "incident_list" => {
                let limit = widget.limit().unwrap_or_default();
                let page = PageRequest::first(ListKey::new(incidents::list::SPEC.id, domain.id().0), limit);
                let read = async {
                    let query = parameters(json!({}))?;
                    let incidents = Port(Arc::clone(&self.incidents));
                    let alerts = Port(Arc::clone(&self.alerts));
                    incidents::list::list(access, Dates(window), query, page, incidents, monitors, alerts)
                        .await
                };
                let answer = reads.answer(widget, format!("{limit} incidents"), read).await;
                let items = answer
                    .data
                    .as_ref()
                    .and_then(|data| data.get("items")?.as_array());
                if items.is_none_or(|items| !items.is_empty()) {
                    return answer;
                }
                // That there was none is known of days on which somebody looked.
                let figures = WidgetQuery {
                    section: widget.section,
                    widget: &FIGURES,
                    config: Map::new(),
                };
                let watched = self.availability(domain.clone(), asked, &figures, reads).await;
                if watched == WidgetAnswer::NO_DATA {
                    return watched;
                }
                answer
            }
            "regions" => {
                let incidents = Port(Arc::clone(&self.incidents));
                let read = regions::list(access, PeriodDays(window), monitors, history, incidents);
                reads.answer(widget, "regions", read).await
            }
            "certificate" => {
                let certificates = Port(Arc::clone(&self.certificates));
                let read = ssl::certificate::view(access, certificates, Port(Arc::clone(&self.clock)));
                reads.answer(widget, "certificate", read).await
            }
            "registration" => {
                let registrations = Port(Arc::clone(&self.registrations));
                let read = ssl::registration::view(access, registrations, Port(Arc::clone(&self.clock)));
                registered(reads.answer(widget, "registration", read).await)
            }
            _ => WidgetAnswer::unavailable(None),
        }
    }
}

/// The answer of `registration`; no data where nothing is known but the name that was asked for.
fn registered(answer: WidgetAnswer) -> WidgetAnswer {
    let data = answer.data.as_ref();
    let is_known =
        |member: &str| data.is_some_and(|data| data.get(member).is_some_and(|value| !value.is_null()));
    let is_silent = !["days_remaining", "expires_at", "registrar_name"]
        .into_iter()
        .any(is_known);
    if answer.status == WidgetStatus::Ok && is_silent {
        return WidgetAnswer::NO_DATA;
    }
    answer
}

#[async_trait]
impl OperationWidgets for UptimeWidgets {
    const SECTIONS: &'static [ReportSection] = SECTIONS;

    async fn one(
        &self,
        domain: &DomainAccess,
        window: &ReportWindow,
        widget: &WidgetQuery,
        reads: &mut Reads,
    ) -> WidgetAnswer {
        let resolved = window.resolved(Module::Uptime);
        let asked = Compared {
            window: resolved,
            shown: window.comparison(&resolved),
        };
        self.of_window(domain, asked, widget, reads).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registration_of_which_nothing_but_the_name_is_known_has_no_data() {
        let of = |days: Option<u32>, registrar: Option<&str>| {
            registered(WidgetAnswer::of(json!({
                "days_remaining": days, "expires_at": null, "registrable_domain": "shop.example",
                "registrar_name": registrar,
            })))
        };
        assert_eq!(of(None, None), WidgetAnswer::NO_DATA);
        for known in [of(Some(12), None), of(None, Some("Names Ltd"))] {
            assert_eq!(known.status, WidgetStatus::Ok);
        }
        assert_eq!(
            registered(WidgetAnswer::NOT_CONFIGURED),
            WidgetAnswer::NOT_CONFIGURED
        );
    }
}
