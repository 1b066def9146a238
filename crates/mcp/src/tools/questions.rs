//! Questions that several operations answer together.

use serde_json::json;

use super::{Effect, Findings, Kind, ToolContext, ToolSpec, arguments::Arguments};
use crate::api::{Call, CallError, HEAVY_AT_ONCE};

/// A part of a result: what an operation answers.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) operation: &'static str,
    /// Its parameters, and where their values come from.
    parameters: &'static [(&'static str, ParameterValue)],
}

#[derive(Debug)]
enum ParameterValue {
    /// The argument of that name, if it was given.
    Argument(&'static str),
    /// Always this.
    Fixed(&'static str),
}

use ParameterValue::{Argument, Fixed};

const fn part(
    name: &'static str,
    operation: &'static str,
    parameters: &'static [(&'static str, ParameterValue)],
) -> Part {
    Part {
        name,
        operation,
        parameters,
    }
}

/// The operation that answers also for pages that nobody saw.
const PAGE_IN_DEPTH: &str = "getRumPage";
const NOTHING_SEEN: &str = "No view of this address was received in these days. site_speed with `search` lists addresses that were seen.";

const START: (&str, ParameterValue) = ("start_date", Argument("start_date"));
const END: (&str, ParameterValue) = ("end_date", Argument("end_date"));
const URL: (&str, ParameterValue) = ("url", Argument("url"));
const DEVICE: (&str, ParameterValue) = ("device", Argument("device"));
const PAGE: (&str, ParameterValue) = ("page", Argument("page"));
const COMPARED: (&str, ParameterValue) = ("compare_previous", Fixed("true"));
const TEN: (&str, ParameterValue) = ("limit", Fixed("10"));
const TWENTY: (&str, ParameterValue) = ("limit", Fixed("20"));

const fn question(
    name: &'static str,
    title: &'static str,
    description: &'static str,
    takes: &'static [&'static str],
    parts: &'static [Part],
) -> ToolSpec {
    ToolSpec {
        name,
        title,
        description,
        takes,
        effect: Effect::Reads,
        kind: Kind::Question(parts),
    }
}

pub(super) static TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "whats_wrong",
        title: "What is wrong now",
        description: "Start here. Open alerts, unread notifications, the uptime state of up to 25 domains, the unhealthy ones first, and the modules not well of up to 5, those down or with alerts first; domain_health tells of one.",
        takes: &[],
        effect: Effect::Reads,
        kind: Kind::Wrong,
    },
    question(
        "domains",
        "Domains and rights",
        "The domains within reach with their modules, and what this credential may do.",
        &[],
        &[
            part("domains", "listDomains", &[]),
            part("identity", "getMe", &[]),
        ],
    ),
    question(
        "domain_health",
        "How is this domain",
        "All modules of a domain over the last 28 days against the 28 before, with scores and the reasons for them.",
        &["domain!"],
        &[
            part("health", "getDomainHealth", &[]),
            part("overview", "getDomainOverview", &[]),
        ],
    ),
    ToolSpec {
        name: "compare_windows",
        title: "What changed, and where",
        description: "Compares two windows of a domain: vitals, traffic, availability and search, and the pages that became slower or faster. Left out: the 7 days up to yesterday, of search up to the day before, and the 7 before them.",
        takes: &["domain!", "start_date", "end_date", "before_start", "before_end"],
        effect: Effect::Reads,
        kind: Kind::Compare,
    },
    question(
        "uptime",
        "Uptime and incidents",
        "The state now, availability of the window against the one before, and its incidents.",
        &["domain!", "start_date", "end_date"],
        &[
            part("status", "getUptimeStatus", &[]),
            part("availability", "getUptimeAvailability", &[START, END, COMPARED]),
            part("incidents", "listUptimeIncidents", &[START, END, TWENTY]),
        ],
    ),
    question(
        "incident",
        "One incident",
        "One incident with its timeline and its first failing checks.",
        &["domain!", "incident_id!"],
        &[part(
            "incident",
            "getUptimeIncident",
            &[("incident_id", Argument("incident_id"))],
        )],
    ),
    question(
        "certificates",
        "Certificate and registration",
        "The TLS certificate and the registration of the domain, with the days that are left.",
        &["domain!"],
        &[
            part("certificate", "getSslCertificate", &[]),
            part("registration", "getDomainRegistration", &[]),
        ],
    ),
    question(
        "site_speed",
        "How fast the site is",
        "The experience of visitors (p75 of real views) against the window before, the pages with their vitals, and Chrome's field data.",
        &["domain!", "start_date", "end_date", "device", "sort", "search"],
        &[
            part("vitals", "getRumOverview", &[START, END, DEVICE, COMPARED]),
            part(
                "pages",
                "listRumPages",
                &[
                    START,
                    END,
                    DEVICE,
                    COMPARED,
                    ("sort", Argument("sort")),
                    ("search", Argument("search")),
                    TWENTY,
                ],
            ),
            part("field_data", "getCruxOverview", &[]),
        ],
    ),
    question(
        "page_speed",
        "Why a page is slow",
        "One page in depth: vitals by day, the phases of LCP and INP, and what is to blame: elements, scripts, third parties, requests.",
        &["domain!", "url!", "start_date", "end_date", "device"],
        &[
            part("page", "getRumPage", &[URL, START, END, DEVICE]),
            part(
                "largest_elements",
                "listRumLcpElements",
                &[URL, START, END, DEVICE],
            ),
            part("slow_scripts", "listRumInpScripts", &[URL, START, END, DEVICE]),
            part(
                "shifting_elements",
                "listRumClsElements",
                &[URL, START, END, DEVICE],
            ),
            part("third_parties", "listRumThirdParties", &[URL, START, END, DEVICE]),
            part("resources", "listRumResources", &[URL, START, END, DEVICE]),
        ],
    ),
    question(
        "script_errors",
        "Errors of scripts",
        "Errors that visitors ran into, by kind, with how many views they touch; of one page if `url` is given.",
        &["domain!", "url", "start_date", "end_date"],
        &[part("errors", "listRumErrors", &[URL, START, END])],
    ),
    question(
        "search_performance",
        "Search performance",
        "Clicks, impressions, CTR and position in Google Search against the window before, with the first pages and queries. Left out, the days end two days ago.",
        &["domain!", "start_date", "end_date"],
        &[
            part("overview", "getGscOverview", &[START, END, COMPARED]),
            part("pages", "listGscPages", &[START, END, COMPARED, TEN]),
            part("queries", "listGscQueries", &[START, END, COMPARED, TEN]),
        ],
    ),
    question(
        "search_movers",
        "Search movers",
        "Queries or pages whose clicks changed most over 28 days, whether by demand, rank or CTR, and rankings that were lost or new in 30 days.",
        &["domain!", "dimension", "direction"],
        &[
            part(
                "movers",
                "listGscMovers",
                &[
                    ("dimension", Argument("dimension")),
                    ("direction", Argument("direction")),
                ],
            ),
            part(
                "lost",
                "listGscLostRankings",
                &[("dimension", Argument("dimension")), TEN],
            ),
            part(
                "new",
                "listGscNewRankings",
                &[("dimension", Argument("dimension")), TEN],
            ),
        ],
    ),
    question(
        "search_opportunities",
        "Search opportunities",
        "Where clicks could be won: nearly on the first page, CTR below what the rank gives, pages that compete or decay.",
        &["domain!"],
        &[
            part("opportunities", "listGscOpportunities", &[]),
            part("ctr_gaps", "listGscCtrGaps", &[]),
            part("cannibalization", "listGscCannibalization", &[TEN]),
            part("decay", "listGscContentDecay", &[]),
        ],
    ),
    question(
        "page_in_search",
        "One page in search",
        "Search figures of a page with its queries, and what Google's index says of it.",
        &["domain!", "url!"],
        &[
            part("search", "getGscPage", &[URL]),
            part("index", "listIndexingUrls", &[("search", Argument("url")), TEN]),
        ],
    ),
    question(
        "indexing",
        "Google's index",
        "How many pages are indexed and why others are not, the newest changes, and gaps between sitemaps and index.",
        &["domain!"],
        &[
            part("overview", "getIndexingOverview", &[]),
            part("changes", "listIndexingChanges", &[TWENTY]),
            part("sitemap_gaps", "listIndexingSitemapGaps", &[]),
        ],
    ),
    question(
        "crawler_access",
        "What crawlers may fetch",
        "Which crawlers, those of AI among them, may fetch a path by robots.txt; the file itself and its faults.",
        &["domain!", "path"],
        &[
            part("crawlers", "listRobotsCrawlers", &[("path", Argument("path"))]),
            part("issues", "listRobotsIssues", &[]),
            part("file", "getRobotsCurrent", &[]),
        ],
    ),
    question(
        "sitemaps",
        "Sitemaps",
        "The contents of the sitemaps, their faults, and what was added or removed lately.",
        &["domain!"],
        &[
            part("overview", "getSitemapOverview", &[]),
            part("issues", "listSitemapIssues", &[]),
            part("changes", "listSitemapChanges", &[TWENTY]),
        ],
    ),
    question(
        "traffic",
        "Traffic",
        "Visitors and sessions against the window before, where they came from, and the pages they saw. With `page`: all figures of the sessions that saw it, revenue too; its own views are in `pages`.",
        &["domain!", "page", "group_by", "start_date", "end_date"],
        &[
            part("overview", "getAnalyticsOverview", &[START, END, PAGE, COMPARED]),
            part(
                "sources",
                "listAnalyticsSources",
                &[START, END, PAGE, ("group_by", Argument("group_by"))],
            ),
            part("pages", "listAnalyticsPages", &[START, END, PAGE, TWENTY]),
            part("devices", "getAnalyticsDevices", &[START, END, PAGE]),
        ],
    ),
    question(
        "sales",
        "Sales",
        "Revenue and orders, by product and by channel.",
        &["domain!", "start_date", "end_date"],
        &[
            part("overview", "getEcommerceOverview", &[START, END]),
            part("products", "listEcommerceProducts", &[START, END, TWENTY]),
            part("channels", "listEcommerceChannels", &[START, END]),
        ],
    ),
    question(
        "lab_tests",
        "Lab tests",
        "Pages that are tested by Lighthouse, their newest tests, and their budgets.",
        &["domain!"],
        &[
            part("overview", "getSyntheticOverview", &[]),
            part("pages", "listSyntheticUrls", &[]),
            part("runs", "listSyntheticRuns", &[TEN]),
        ],
    ),
    question(
        "lab_test",
        "One lab test",
        "One lab test: metrics, what would save time, and third parties.",
        &["domain!", "run_id!"],
        &[
            part("run", "getSyntheticRun", &[("run_id", Argument("run_id"))]),
            part(
                "opportunities",
                "listSyntheticOpportunities",
                &[("run_id", Argument("run_id"))],
            ),
            part(
                "third_parties",
                "listSyntheticThirdParties",
                &[("run_id", Argument("run_id"))],
            ),
        ],
    ),
    question(
        "alerts",
        "Alerts of a domain",
        "The alerts that fired, and the rules behind.",
        &["domain!"],
        &[
            part("fired", "listDomainAlertHistory", &[TWENTY]),
            part("rules", "listDomainAlertRules", &[]),
        ],
    ),
    question(
        "reports",
        "Reports",
        "The templates of reports, and the runs of them.",
        &["domain!"],
        &[
            part("templates", "listReportTemplates", &[]),
            part("runs", "listReportRuns", &[TEN]),
        ],
    ),
    question(
        "spending",
        "Credits",
        "The credits that are left, and what the newest requests cost.",
        &[],
        &[
            part("balance", "getCredits", &[]),
            part("log", "listCreditLog", &[TWENTY]),
        ],
    ),
];

/// Asks the operations of a question, each for its part.
pub(super) async fn ask(
    context: &ToolContext<'_>,
    parts: &'static [Part],
    arguments: &Arguments,
) -> Result<Findings, CallError> {
    let mut findings = Findings::default();
    let domain = match arguments.text("domain") {
        Some(_) => Some(arguments.domain(context, &mut findings).await?),
        None => None,
    };
    let called = |part| call(context, part, domain.as_deref(), arguments);
    let mut parts = parts;
    // Nothing is to blame on a page that nobody saw: the parts about causes are not paid for.
    if let [page, causes @ ..] = parts
        && page.operation == PAGE_IN_DEPTH
    {
        let answer = context.ask(called(page)).await;
        if let Ok(answer) = &answer
            && answer.body["pageviews"] == 0
        {
            findings.spent(answer);
            findings.add_own("nothing_seen", json!(NOTHING_SEEN));
            return Ok(findings);
        }
        findings.add(page.name, page.operation, answer);
        parts = causes;
    }
    let calls = parts.iter().map(called).collect();
    for (part, answer) in parts.iter().zip(context.ask_all(calls, HEAVY_AT_ONCE).await) {
        findings.add(part.name, part.operation, answer);
    }
    Ok(findings)
}

fn call<'a>(
    context: &ToolContext<'a>,
    part: &Part,
    domain: Option<&str>,
    arguments: &Arguments,
) -> Result<Call<'a>, CallError> {
    let mut call = Call::of(context.operation(part.operation)?);
    if let Some(domain) = domain {
        call = call.with("domain_id", domain);
    }
    for (name, value) in part.parameters {
        let value = match value {
            Argument(argument) => arguments.text(argument),
            Fixed(value) => Some(*value),
        };
        if let Some(value) = value {
            call = call.with(name, value);
        }
    }
    Ok(call)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    #[test]
    fn every_part_is_an_operation_with_these_parameters() {
        let catalogue = Catalogue::read(include_bytes!("../../../../docs/openapi.json")).unwrap();
        for tool in TOOLS {
            let Kind::Question(parts) = &tool.kind else {
                continue;
            };
            for part in *parts {
                let operation = catalogue.operation(part.operation).expect(part.operation);
                assert_eq!(operation.method, "GET", "{}", part.operation);
                for (name, value) in part.parameters {
                    assert!(operation.parameter(name).is_some(), "{} {name}", part.operation);
                    if let Argument(argument) = value {
                        let taken = |taken: &&str| taken.trim_end_matches('!') == *argument;
                        assert!(tool.takes.iter().any(taken), "{} {argument}", tool.name);
                    }
                }
                for required in operation.settable().filter(|parameter| parameter.required) {
                    let given = required.name == "domain_id"
                        || part.parameters.iter().any(|(name, _)| *name == required.name);
                    assert!(given, "{} {}", part.operation, required.name);
                }
            }
        }
    }
}
