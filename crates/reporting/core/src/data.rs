//! The data of a report: every widget is queried in time, and a widget that fails does not affect the others.

use std::{sync::Arc, time::Duration};

use futures_util::{
    FutureExt,
    stream::{self, BoxStream, StreamExt},
};
use pharos_domain::{
    day::Day,
    identity::DomainAccess,
    problem::Suffix,
    report_widget::{
        LIMIT, ReportWidget, ReportWindow, SectionName, UNAVAILABLE_MODULES, WidgetAnswer, WidgetQuery,
        at_path,
    },
    timestamp::Timestamp,
    window::{DataThrough, DateRange},
};
use serde_json::{Map, Value, json};
use time::OffsetDateTime;
use tokio::{sync::Semaphore, time::Instant};

use crate::{
    catalogue::{Catalogue, CatalogueSection, Origin},
    config::{SectionChoice, SectionsConfig},
    format::ReportLocale,
    own, pages,
    reading::Reading,
    summary,
};

/// How long a section may take.
pub const SECTION_WITHIN: Duration = Duration::from_secs(8);
/// How many sections are queried at once: a heavy read holds a connection, and others need some too.
const AT_ONCE: usize = 3;

/// A section with the data of its widgets.
#[derive(Clone, Debug)]
pub struct SectionData {
    /// The name of the section in the catalogue.
    pub name: SectionName,
    /// Its title: the owner's, or else the catalogue's label.
    pub title: String,
    /// Its widgets that are on, in the order of the configuration.
    pub widgets: Vec<WidgetData>,
}

/// A widget with its data.
#[derive(Clone, Debug)]
pub struct WidgetData {
    /// Its name, as the configuration has it.
    pub name: String,
    /// The widget; if this installation lacks it, one that only says so.
    pub widget: &'static ReportWidget,
    /// Its title: the owner's, or else the catalogue's label.
    pub title: String,
    /// Its data, or why there are none.
    pub answer: WidgetAnswer,
}

impl Catalogue {
    /// The data of all widgets that are on, over a window. It takes `within` at most, however slow a module is. Widgets that
    /// are late, and those that this installation lacks, are unavailable. `locale` formats numbers within sentences.
    pub async fn read(
        &self,
        domain: &DomainAccess,
        window: &ReportWindow,
        config: &SectionsConfig,
        locale: ReportLocale,
        within: Duration,
    ) -> Vec<SectionData> {
        self.each(domain, window, config, locale, within).collect().await
    }

    /// Yields each section once it and all before it are there. A caller that does not ask for the next one holds up the
    /// sections that are being read, and their connections.
    pub(crate) fn each<'a>(
        &'a self,
        domain: &'a DomainAccess,
        window: &'a ReportWindow,
        config: &'a SectionsConfig,
        locale: ReportLocale,
        within: Duration,
    ) -> BoxStream<'a, SectionData> {
        let reading = Arc::new(Reading::new(self, domain, Instant::now() + within));
        let places = Arc::new(Semaphore::new(AT_ONCE));
        let mut reads = Vec::with_capacity(config.sections.len());
        for chosen in config.shown() {
            let (reading, places) = (Arc::clone(&reading), Arc::clone(&places));
            let read = async move {
                // A section that is there waits for those before it without a place, so a late one holds up none behind it.
                let _place = places.acquire().await;
                self.read_section(&reading, window, chosen, locale).await
            };
            reads.push(read.boxed());
        }
        let all = reads.len().max(1);
        stream::iter(reads).buffered(all).boxed()
    }

    async fn read_section(
        &self,
        reading: &Reading<'_>,
        window: &ReportWindow,
        (name, choice): (SectionName, &SectionChoice),
        locale: ReportLocale,
    ) -> SectionData {
        let section = self.section(name.as_str());
        let mut widgets: Vec<WidgetData> = Vec::new();
        let mut asked: Vec<(usize, Origin, WidgetQuery)> = Vec::new();
        for chosen in choice.widgets.iter().filter(|widget| widget.enabled) {
            let known = section.and_then(|section| section.widget(&chosen.widget));
            let widget = known.map_or(&own::ABSENT, |known| known.widget);
            if let Some(known) = known {
                let query = WidgetQuery {
                    section: name,
                    widget,
                    config: widget.complete(&chosen.config),
                };
                asked.push((widgets.len(), known.origin, query));
            }
            widgets.push(WidgetData {
                name: chosen.widget.clone(),
                widget,
                title: chosen.title.clone().unwrap_or_else(|| widget.label.to_owned()),
                answer: WidgetAnswer::unavailable(None),
            });
        }
        if section.is_none_or(|section| is_in_plan(reading.domain, section)) {
            self.answer(reading, window, (&asked, &mut widgets), locale).await;
        } else {
            for (at, ..) in asked {
                widgets[at].answer = WidgetAnswer::unavailable(Some(Suffix::PlanRestriction));
            }
        }
        let label = section.map_or(name.as_str(), |section| section.label);
        SectionData {
            name,
            title: choice.title.clone().unwrap_or_else(|| label.to_owned()),
            widgets,
        }
    }

    /// Queries each source once for its widgets. Each of `asked` begins with its place among `widgets`.
    async fn answer(
        &self,
        reading: &Reading<'_>,
        window: &ReportWindow,
        (asked, widgets): (&[(usize, Origin, WidgetQuery)], &mut [WidgetData]),
        locale: ReportLocale,
    ) {
        for source in 0..self.sources.len() {
            let its = asked
                .iter()
                .filter(|(_, origin, _)| *origin == Origin::Source(source));
            let (places, queries): (Vec<usize>, Vec<WidgetQuery>) =
                its.map(|(at, _, query)| (*at, query.clone())).unzip();
            if queries.is_empty() {
                continue;
            }
            let answers = reading.ask(source, window, &queries).await;
            for (at, answer) in places.into_iter().zip(answers) {
                widgets[at].answer = answer;
            }
        }
        for (at, _, query) in asked.iter().filter(|(_, origin, _)| *origin == Origin::Own) {
            widgets[*at].answer = match query.widget.name {
                own::SUMMARY => summary::answer(reading, window, locale).await,
                name if name == pages::WIDGET.name => {
                    let most = query.limit().unwrap_or_default();
                    pages::answer(reading, window, most).await
                }
                own::TEXT => query
                    .config
                    .get("text")
                    .filter(|text| text.is_string())
                    .map_or(WidgetAnswer::NO_DATA, |text| {
                        WidgetAnswer::of(json!({ "text": text }))
                    }),
                _ => WidgetAnswer::unavailable(None),
            };
        }
    }
}

/// The choice of as many rows as a list may have.
pub(crate) fn all_rows() -> Map<String, Value> {
    [(LIMIT.field.to_owned(), Value::from(LIMIT.max))]
        .into_iter()
        .collect()
}

/// The names of the modules that an answer in a section is without, since they failed or were late.
pub(crate) fn unavailable(section: SectionName, answer: &WidgetAnswer) -> impl Iterator<Item = &str> {
    let own = answer.has_failed().then(|| section.as_str());
    let data = answer.data.as_ref();
    let others = data.and_then(|data| data.get(UNAVAILABLE_MODULES)?.as_array());
    own.into_iter()
        .chain(others.into_iter().flatten().filter_map(Value::as_str))
}

/// Up to when the modules of a report have data: the earliest moment that a widget tells; `None` where none does.
#[must_use]
pub fn data_through(sections: &[SectionData]) -> Option<DataThrough> {
    let widgets = sections.iter().flat_map(|section| &section.widgets);
    let known = widgets.filter_map(|widget| through(widget.answer.data.as_ref()?));
    let earliest = known.min_by_key(|(until, _)| *until)?;
    Some(earliest.1)
}

/// Up to when a module has the data of an answer, and the moment at which that is over: a day counts whole.
pub(crate) fn through(data: &Value) -> Option<(OffsetDateTime, DataThrough)> {
    let text = at_path(data, "meta.data_through")?.as_str()?;
    if let Ok(Day(day)) = text.parse() {
        return Some((DateRange::ending(day, 1).end(), day.into()));
    }
    let moment = text.parse::<Timestamp>().ok()?.moment();
    Some((moment, moment.into()))
}

pub(crate) fn is_in_plan(domain: &DomainAccess, section: &CatalogueSection) -> bool {
    let workspace = domain.workspace().workspace();
    section
        .requires_module
        .is_none_or(|module| workspace.has_module(module))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use async_trait::async_trait;
    use pharos_domain::{
        identity::{
            CredentialKind, Identity, ModuleSet, ReachableDomain, ReachableWorkspace, SubscriptionStatus,
        },
        ids::{CredentialId, DomainId, UserId, WorkspaceId},
        module::Module,
        report_widget::{
            DataField, Empty, FieldFormat, ReportSection, WidgetKind, WidgetSource, WidgetStatus,
        },
        role::Role,
        scope::ScopeSet,
    };
    use time::macros::{date, datetime};

    use super::*;
    use crate::config::WidgetChoice;

    const WIDGET: ReportWidget = ReportWidget {
        name: "kpi_row",
        label: "Figures",
        description: "",
        kind: WidgetKind::Kpi,
        default_enabled: true,
        config: &[],
        rows: None,
        fields: &[DataField::new("visitors", "Visitors", FieldFormat::Count)],
        empty: Empty::NoData,
        measured_by: None,
    };

    const fn section(name: SectionName, requires_module: Option<Module>) -> ReportSection {
        ReportSection {
            name,
            label: "Section",
            description: "",
            requires_module,
            widgets: &[WIDGET],
        }
    }

    struct Answers;
    struct Hangs;

    #[async_trait]
    impl WidgetSource for Answers {
        fn sections(&self) -> &'static [ReportSection] {
            const SECTIONS: &[ReportSection] = &[
                section(SectionName::Analytics, Some(Module::Analytics)),
                section(SectionName::Rum, Some(Module::Rum)),
            ];
            SECTIONS
        }

        async fn read(&self, _: &DomainAccess, _: &ReportWindow, asked: &[WidgetQuery]) -> Vec<WidgetAnswer> {
            asked
                .iter()
                .map(|_| WidgetAnswer::of(json!({ "visitors": 7 })))
                .collect()
        }
    }

    #[async_trait]
    impl WidgetSource for Hangs {
        fn sections(&self) -> &'static [ReportSection] {
            const SECTIONS: &[ReportSection] = &[section(SectionName::Uptime, Some(Module::Uptime))];
            SECTIONS
        }

        async fn read(&self, _: &DomainAccess, _: &ReportWindow, _: &[WidgetQuery]) -> Vec<WidgetAnswer> {
            std::future::pending().await
        }
    }

    fn access(modules: &[Module]) -> DomainAccess {
        let (workspace, domain) = (WorkspaceId::generate(), DomainId::generate());
        let identity = Identity {
            kind: CredentialKind::ApiKey,
            credential_id: CredentialId::generate(),
            user_id: UserId::generate(),
            name: None,
            key_prefix: None,
            expires_at: None,
            client_id: None,
            audience: None,
            scopes: ScopeSet::default(),
            workspaces: vec![ReachableWorkspace {
                id: workspace,
                role: Role::Viewer,
                subscription: SubscriptionStatus::Active,
                plan_modules: modules.iter().copied().collect::<ModuleSet>(),
                domains: Arc::new([ReachableDomain {
                    id: domain,
                    hostname: "shop.example".parse().unwrap(),
                }]),
            }],
            default_workspace_id: Some(workspace),
        };
        DomainAccess::open(&Arc::new(identity), domain).unwrap()
    }

    fn window() -> ReportWindow {
        let now = datetime!(2026-03-31 09:15 UTC);
        ReportWindow {
            days: DateRange::ending(now.date(), 30),
            period: None,
            compares: false,
            now,
        }
    }

    #[tokio::test]
    async fn who_hangs_or_is_not_in_the_plan_keeps_nobody_from_answering() {
        let catalogue = Catalogue::new(vec![Arc::new(Answers), Arc::new(Hangs)]).unwrap();
        let choice = |section: &str| SectionChoice {
            section: section.to_owned(),
            enabled: true,
            title: None,
            widgets: vec![WidgetChoice {
                widget: "kpi_row".to_owned(),
                enabled: true,
                title: Some("Mine".to_owned()),
                config: serde_json::Map::new(),
            }],
        };
        let config = SectionsConfig {
            version: 1,
            sections: ["uptime", "rum", "analytics", "gsc"].map(choice).into(),
        };
        let access = access(&[Module::Uptime, Module::Analytics]);
        let found = catalogue
            .read(
                &access,
                &window(),
                &config,
                ReportLocale::En,
                Duration::from_millis(50),
            )
            .await;
        let said: Vec<(SectionName, WidgetStatus, Option<Suffix>)> = found
            .iter()
            .map(|section| {
                (
                    section.name,
                    section.widgets[0].answer.status,
                    section.widgets[0].answer.error,
                )
            })
            .collect();
        use WidgetStatus::{ModuleUnavailable, Ok};
        assert_eq!(
            said,
            [
                (
                    SectionName::Uptime,
                    ModuleUnavailable,
                    Some(Suffix::DatastoreError)
                ),
                (SectionName::Rum, ModuleUnavailable, Some(Suffix::PlanRestriction)),
                (SectionName::Analytics, Ok, None),
                (SectionName::Gsc, ModuleUnavailable, None),
            ]
        );
        assert_eq!(
            (found[2].title.as_str(), found[2].widgets[0].title.as_str()),
            ("Section", "Mine")
        );
        assert_eq!(
            (found[3].title.as_str(), found[3].widgets[0].name.as_str()),
            ("gsc", "kpi_row"),
            "nobody gives it, and it is not passed over"
        );
        assert!(catalogue.section("gsc").is_none());
    }

    /// Never answers its first section, and the others after a second.
    struct OneHangs;

    #[async_trait]
    impl WidgetSource for OneHangs {
        fn sections(&self) -> &'static [ReportSection] {
            const SECTIONS: &[ReportSection] = &[
                section(SectionName::Uptime, None),
                section(SectionName::Robots, None),
                section(SectionName::Sitemap, None),
                section(SectionName::Indexing, None),
                section(SectionName::Rum, None),
            ];
            SECTIONS
        }

        async fn read(&self, _: &DomainAccess, _: &ReportWindow, asked: &[WidgetQuery]) -> Vec<WidgetAnswer> {
            if asked.iter().any(|query| query.section == SectionName::Uptime) {
                std::future::pending::<()>().await;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
            let answer = |_: &WidgetQuery| WidgetAnswer::of(json!({ "visitors": 7 }));
            asked.iter().map(answer).collect()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_hangs_until_the_end_takes_the_time_of_none_behind() {
        let catalogue = Catalogue::new(vec![Arc::new(OneHangs)]).unwrap();
        let within = Duration::from_secs(10);
        let catalogue = catalogue.within(within);
        let config = SectionsConfig {
            version: 1,
            sections: ["uptime", "robots", "sitemap", "indexing", "rum"]
                .map(|section| chosen(section, &["kpi_row"]))
                .into(),
        };
        let access = access(&[]);
        let found = catalogue
            .read(&access, &window(), &config, ReportLocale::En, within)
            .await;
        let said: Vec<WidgetStatus> = found
            .iter()
            .map(|section| section.widgets[0].answer.status)
            .collect();
        use WidgetStatus::{ModuleUnavailable, Ok};
        assert_eq!(said, [ModuleUnavailable, Ok, Ok, Ok, Ok]);
    }

    /// Forty alerts that are open.
    struct Alerts;

    #[async_trait]
    impl WidgetSource for Alerts {
        fn sections(&self) -> &'static [ReportSection] {
            const SECTIONS: &[ReportSection] = &[ReportSection {
                widgets: &[ReportWidget {
                    name: "alert_list",
                    config: &[LIMIT],
                    rows: Some("items"),
                    ..WIDGET
                }],
                ..section(SectionName::Alerts, Some(Module::Alerts))
            }];
            SECTIONS
        }

        async fn read(&self, _: &DomainAccess, _: &ReportWindow, asked: &[WidgetQuery]) -> Vec<WidgetAnswer> {
            let alert = json!({ "resolved_at": null });
            let shown = |query: &WidgetQuery| vec![alert.clone(); query.limit().unwrap().min(40)];
            let answer = |query: &WidgetQuery| WidgetAnswer::of(json!({ "items": shown(query) }));
            asked.iter().map(answer).collect()
        }
    }

    #[tokio::test]
    async fn the_summary_looks_at_more_rows_than_a_table_usually_shows() {
        let catalogue = Catalogue::new(vec![Arc::new(Alerts)]).unwrap();
        let config = SectionsConfig {
            version: 1,
            sections: vec![SectionChoice {
                section: "overview".to_owned(),
                enabled: true,
                title: None,
                widgets: vec![WidgetChoice {
                    widget: own::SUMMARY.to_owned(),
                    enabled: true,
                    title: None,
                    config: Map::new(),
                }],
            }],
        };
        let (access, window) = (access(&[Module::Alerts]), window());
        let found = catalogue
            .read(
                &access,
                &window,
                &config,
                ReportLocale::En,
                Duration::from_secs(5),
            )
            .await;
        let told = summary::told(ReportLocale::En, &found);
        assert_eq!(
            told.days.as_deref(),
            Some(
                "2 Mar 2026 – 31 Mar 2026, compared with 31 Jan 2026 – 1 Mar 2026. 31 Mar 2026 is not over."
            )
        );
        assert_eq!(told.actions, ["40 alerts are still open."]);
        assert_eq!(told.changes, [""; 0]);
    }

    #[test]
    fn a_report_has_data_up_to_when_the_first_of_its_modules_stops() {
        let section = |through: &[Value]| SectionData {
            name: SectionName::Analytics,
            title: String::new(),
            widgets: through
                .iter()
                .map(|through| WidgetData {
                    name: WIDGET.name.to_owned(),
                    widget: &WIDGET,
                    title: String::new(),
                    answer: WidgetAnswer::of(json!({ "meta": { "data_through": through } })),
                })
                .collect(),
        };
        let of = |through: &[Value]| data_through(&[section(through)]);
        let noon = json!("2026-03-28T12:00:00Z");
        let day = json!("2026-03-28");
        assert_eq!(
            of(&[day.clone(), noon, Value::Null]),
            Some(DataThrough::from(datetime!(2026-03-28 12:00 UTC))),
            "a day counts whole"
        );
        assert_eq!(
            of(&[json!("2026-03-29T00:00:01Z"), day]),
            Some(DataThrough::from(date!(2026 - 03 - 28)))
        );
        assert_eq!(of(&[Value::Null]), None);
    }

    /// Records what it is asked.
    struct Noted(Arc<Mutex<Vec<&'static str>>>);

    #[async_trait]
    impl WidgetSource for Noted {
        fn sections(&self) -> &'static [ReportSection] {
            const SECTIONS: &[ReportSection] = &[ReportSection {
                widgets: &[
                    ReportWidget {
                        name: "certificate",
                        ..WIDGET
                    },
                    ReportWidget {
                        name: "regions",
                        ..WIDGET
                    },
                ],
                ..section(SectionName::Uptime, Some(Module::Uptime))
            }];
            SECTIONS
        }

        async fn read(&self, _: &DomainAccess, _: &ReportWindow, asked: &[WidgetQuery]) -> Vec<WidgetAnswer> {
            let names = asked.iter().map(|query| query.widget.name);
            self.0.lock().unwrap().extend(names);
            let days = |_: &WidgetQuery| WidgetAnswer::of(json!({ "days_remaining": 2 }));
            asked.iter().map(days).collect()
        }
    }

    /// A section with these widgets as they are.
    fn chosen(section: &str, widgets: &[&str]) -> SectionChoice {
        SectionChoice {
            section: section.to_owned(),
            enabled: true,
            title: None,
            widgets: widgets
                .iter()
                .map(|widget| WidgetChoice {
                    widget: (*widget).to_owned(),
                    enabled: true,
                    title: None,
                    config: Map::new(),
                })
                .collect(),
        }
    }

    /// The data of a report with a summary and these widgets of uptime.
    async fn summed_up(catalogue: &Catalogue, widgets: &[&str]) -> Vec<SectionData> {
        let config = SectionsConfig {
            version: 1,
            sections: vec![chosen("overview", &[own::SUMMARY]), chosen("uptime", widgets)],
        };
        let compared = ReportWindow {
            compares: true,
            ..window()
        };
        let access = access(&[Module::Uptime]);
        let within = Duration::from_secs(5);
        catalogue
            .read(&access, &compared, &config, ReportLocale::En, within)
            .await
    }

    #[tokio::test]
    async fn a_widget_that_the_summary_looks_at_too_is_read_once() {
        let asked = Arc::default();
        let catalogue = Catalogue::new(vec![Arc::new(Noted(Arc::clone(&asked)))]).unwrap();
        let found = summed_up(&catalogue, &["regions", "certificate"]).await;
        assert_eq!(
            summary::told(ReportLocale::En, &found).actions,
            ["The certificate ends in 2 days."]
        );
        for widget in &found[1].widgets {
            assert_eq!(
                widget.answer.data,
                Some(json!({ "days_remaining": 2 })),
                "{}",
                widget.name
            );
        }
        let mut asked = asked.lock().unwrap().clone();
        asked.sort_unstable();
        assert_eq!(asked, ["certificate", "regions"]);
    }

    /// Never tells of incidents.
    struct Slow;

    #[async_trait]
    impl WidgetSource for Slow {
        fn sections(&self) -> &'static [ReportSection] {
            const SECTIONS: &[ReportSection] = &[ReportSection {
                widgets: &[
                    ReportWidget {
                        name: "certificate",
                        ..WIDGET
                    },
                    ReportWidget {
                        name: "incident_list",
                        ..WIDGET
                    },
                ],
                ..section(SectionName::Uptime, Some(Module::Uptime))
            }];
            SECTIONS
        }

        async fn read(&self, _: &DomainAccess, _: &ReportWindow, asked: &[WidgetQuery]) -> Vec<WidgetAnswer> {
            if asked.iter().any(|query| query.widget.name == "incident_list") {
                std::future::pending::<()>().await;
            }
            let answer = |_: &WidgetQuery| WidgetAnswer::of(json!({ "visitors": 7 }));
            asked.iter().map(answer).collect()
        }
    }

    #[tokio::test]
    async fn what_the_summary_alone_looks_at_keeps_no_section_from_answering() {
        let catalogue = Catalogue::new(vec![Arc::new(Slow)]).unwrap();
        let catalogue = catalogue.within(Duration::from_millis(50));
        let found = summed_up(&catalogue, &["certificate"]).await;
        assert_eq!(found[1].widgets[0].answer.data, Some(json!({ "visitors": 7 })));
    }

    #[tokio::test]
    async fn a_summary_names_the_modules_that_it_could_not_look_at() {
        let catalogue = Catalogue::new(vec![Arc::new(Slow)]).unwrap();
        let catalogue = catalogue.within(Duration::from_millis(50));
        let found = summed_up(&catalogue, &["certificate"]).await;
        let summary = found[0].widgets[0].answer.data.as_ref().unwrap();
        assert_eq!(summary["items"], json!([]));
        assert_eq!(summary["unavailable_modules"], json!(["uptime"]));

        let catalogue = Catalogue::new(vec![Arc::new(Noted(Arc::default()))]).unwrap();
        let found = summed_up(&catalogue, &["certificate"]).await;
        let summary = found[0].widgets[0].answer.data.as_ref().unwrap();
        assert_eq!(summary.get("unavailable_modules"), None);
    }

    #[test]
    fn two_widgets_of_one_name_are_refused() {
        let twice = Catalogue::new(vec![Arc::new(Answers), Arc::new(Answers)]).unwrap_err();
        assert_eq!(
            twice.to_string(),
            "two groups give the section rum a widget kpi_row"
        );
    }
}
