//! Every page and every form of the console, by tables that are held against what it mounts.

mod forms;
mod hostile;
mod pages;
mod reads;
mod refused;
mod seen;
mod table;

use std::collections::BTreeSet;

use pharos_console::routes::mounted;

use self::{forms::forms, pages::PAGES};
use super::stage::Stage;

#[test]
fn every_route_of_the_console_has_its_rows() {
    let of_pages = PAGES.iter().map(|row| ("GET", row.route));
    let of_forms = forms().map(|row| ("POST", row.route));
    let rows: BTreeSet<(&str, &str)> = of_pages.chain(of_forms).collect();
    let routes = mounted();
    let routes: BTreeSet<(&str, &str)> = routes
        .iter()
        .map(|route| (route.method, route.path.as_str()))
        .collect();
    let without: Vec<_> = routes.difference(&rows).collect();
    assert!(without.is_empty(), "routes without a row: {without:?}");
    let stale: Vec<_> = rows.difference(&routes).collect();
    assert!(stale.is_empty(), "rows of no route: {stale:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_field_of_every_form_stands_in_the_table() {
    let mut stage = Stage::set().await;
    for row in PAGES.iter().filter(|row| row.status == 200) {
        for form in stage.read(row.address).await.forms() {
            let known: Vec<_> = forms()
                .filter(|known| stage.fill(known.route) == form.action || stage.fill(known.to) == form.action)
                .collect();
            assert!(!known.is_empty(), "{}: a form to {}", row.address, form.action);
            let fields = known.iter().flat_map(|known| known.fields);
            let mut names: BTreeSet<&str> = fields.map(|field| field.name()).collect();
            // Buttons of the editor that move its parts and open a section, and which one is open.
            names.extend(["token", "move", "open", "opened"]);
            for name in &form.names {
                // The fields of parts of reports are those of the catalogue.
                let is_known = names.contains(name.as_str()) || name.contains('.');
                assert!(is_known, "{}: {name} of the form to {}", row.address, form.action);
            }
        }
    }
    for row in forms().filter(|row| !row.page.is_empty()) {
        let action = stage.fill(row.to);
        let shown = stage.read(row.page).await;
        let forms = shown.forms();
        let there: BTreeSet<&str> = forms
            .iter()
            .filter(|form| form.action == action)
            .flat_map(|form| form.names.iter().map(String::as_str))
            .collect();
        assert!(
            forms.iter().any(|form| form.action == action),
            "{} has no form to {action}",
            row.page
        );
        for field in row.fields {
            let is_told = match field {
                table::Sent::Typed(name, _) | table::Sent::Kept(name) => there.contains(*name),
                table::Sent::Chosen(..) => true,
            };
            assert!(is_told, "{} of {action} is not on {}", field.name(), row.page);
        }
    }
}
