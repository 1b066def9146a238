//! The pages of the console that show to people what tools tell.

use pharos_domain::module::Module;

use super::{Findings, arguments::Arguments};
use crate::catalogue::Catalogue;

/// Adds where people see the findings of a tool. Findings about a domain point to the page of that domain already.
pub(super) fn show(findings: &mut Findings, tool: &str, arguments: &Arguments, catalogue: &Catalogue) {
    if tool == "spending" {
        let workspace = findings.text("balance", "workspace_id");
        if let Some(path) = workspace.map(|workspace| format!("/console/w/{workspace}/credits")) {
            findings.at(&path);
        }
    } else if let Some(page) = below_domain(tool, arguments, catalogue) {
        findings.at_page(&page);
    }
}

/// The page below that of the domain.
fn below_domain(tool: &str, arguments: &Arguments, catalogue: &Catalogue) -> Option<String> {
    let page = match tool {
        "incident" => return Some(format!("incidents/{}", arguments.text("incident_id")?)),
        "lab_test" => return Some(format!("synthetic/tests/{}", arguments.text("run_id")?)),
        "call_operation" => {
            let operation = catalogue.operation(arguments.text("operation_id")?)?;
            let (_, below) = operation.path.split_once("/domains/{domain_id}/")?;
            module(below.split('/').next()?)?
        }
        "run_check" => module(arguments.text("check")?)?,
        "site_speed" | "page_speed" => "rum",
        "script_errors" => "rum/errors",
        "search_performance" | "search_movers" | "page_in_search" => "gsc",
        "search_opportunities" => "gsc/opportunities",
        "indexing" => "indexing",
        "crawler_access" => "robots",
        "sitemaps" => "sitemap",
        "traffic" | "sales" => "analytics",
        "lab_tests" | "run_lab_test" => "synthetic",
        "alerts" => "alerts",
        "reports" | "generate_report" => "reports",
        _ => return None,
    };
    Some(page.to_owned())
}

/// The part of the API's paths below a domain, where the console has a page of it: every module that holds data has one, and uptime
/// has that of the domain itself.
fn module(name: &str) -> Option<&'static str> {
    let with_page = Module::MONITORING
        .iter()
        .chain(&[Module::Alerts, Module::Reports]);
    with_page
        .filter(|module| **module != Module::Uptime)
        .map(|module| module.as_str())
        .find(|module| *module == name)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::tools::{find, object};

    #[test]
    fn what_is_of_a_module_is_on_its_page() {
        let catalogue = Catalogue::read(include_bytes!("../../../../docs/openapi.json")).unwrap();
        let id = "0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33";
        let page = |tool: &str, given: Value| {
            let tool = find(tool).unwrap();
            let validator = catalogue.validator(tool.name, || tool.input(&catalogue)).unwrap();
            let arguments = Arguments::read(&validator, object(given)).unwrap();
            below_domain(tool.name, &arguments, &catalogue)
        };
        let incident = format!("incidents/{id}");
        let lab_test = format!("synthetic/tests/{id}");
        for (tool, given, below) in [
            ("uptime", json!({ "domain": id }), None),
            (
                "incident",
                json!({ "domain": id, "incident_id": id }),
                Some(incident.as_str()),
            ),
            (
                "lab_test",
                json!({ "domain": id, "run_id": id }),
                Some(lab_test.as_str()),
            ),
            ("traffic", json!({ "domain": id }), Some("analytics")),
            ("run_check", json!({ "domain": id, "check": "uptime" }), None),
            (
                "run_check",
                json!({ "domain": id, "check": "robots" }),
                Some("robots"),
            ),
            (
                "call_operation",
                json!({ "operation_id": "getUptimeStatus" }),
                None,
            ),
            (
                "call_operation",
                json!({ "operation_id": "listRumPages" }),
                Some("rum"),
            ),
            ("call_operation", json!({ "operation_id": "getMe" }), None),
        ] {
            assert_eq!(page(tool, given).as_deref(), below, "{tool}");
        }
    }
}
