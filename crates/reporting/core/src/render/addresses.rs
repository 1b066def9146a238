//! Addresses of pages in tables: of the site's own pages the path says all, and an address breaks where nobody expects it.

use std::collections::{HashMap, HashSet};

use pharos_domain::report_widget::{DataField, at_path};
use serde_json::Value;
use url::Url;

/// The columns that name pages.
const PAGES: [&str; 4] = ["page", "url", "sample_url", "top_url"];

/// The paths of the addresses in a column that are the site's own. Where two addresses have one path, each stays as it is.
pub(super) fn paths<'a>(hostname: &str, field: &DataField, rows: &'a [Value]) -> HashMap<&'a str, String> {
    if !PAGES.contains(&field.path) {
        return HashMap::new();
    }
    let addresses: HashSet<&str> = rows
        .iter()
        .filter_map(|row| at_path(row, field.path)?.as_str())
        .collect();
    let own: HashMap<&str, String> = addresses
        .into_iter()
        .filter_map(|address| Some((address, path(hostname, address)?)))
        .collect();
    let mut times: HashMap<String, u32> = HashMap::new();
    for path in own.values() {
        *times.entry(path.clone()).or_default() += 1;
    }
    own.into_iter().filter(|(_, path)| times[path] == 1).collect()
}

/// The path of an address on the site, with what follows it, in the letters that it was given in.
fn path(hostname: &str, address: &str) -> Option<String> {
    let bare = |host: &str| host.strip_prefix("www.").unwrap_or(host).to_owned();
    let url = Url::parse(address).ok()?;
    if bare(url.host_str()?) != bare(hostname) {
        return None;
    }
    let (_, rest) = address.split_once("://")?;
    let path = rest.find(['/', '?', '#']).map_or("", |at| &rest[at..]);
    Some(if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("/{path}")
    })
}

#[cfg(test)]
mod tests {
    use pharos_domain::report_widget::FieldFormat;
    use serde_json::json;

    use super::*;

    fn shown(column: &'static str, addresses: &[&str]) -> Vec<String> {
        let rows: Vec<Value> = addresses
            .iter()
            .map(|address| json!({ column: address }))
            .collect();
        let field = DataField::new(column, "Page", FieldFormat::Text);
        let paths = paths("shop.example", &field, &rows);
        let shown = |address: &&str| paths.get(address).map_or(*address, String::as_str).to_owned();
        addresses.iter().map(shown).collect()
    }

    #[test]
    fn a_page_of_the_site_is_its_path() {
        let addresses = [
            "https://shop.example",
            "http://shop.example:8080/product/größe?size=42",
            "https://www.shop.example/hats",
            "https://blog.shop.example/hats",
            "/cart",
        ];
        assert_eq!(
            shown("url", &addresses),
            [
                "/",
                "/product/größe?size=42",
                "/hats",
                "https://blog.shop.example/hats",
                "/cart"
            ]
        );
        assert_eq!(shown("query", &addresses), addresses, "nobody asked for a page");
    }

    #[test]
    fn addresses_of_one_path_are_told_apart() {
        let addresses = ["https://shop.example/hats", "http://shop.example/hats"];
        assert_eq!(shown("page", &addresses), addresses);
        let once = ["https://shop.example/hats"; 2];
        assert_eq!(shown("page", &once), ["/hats"; 2]);
    }
}
