//! The tracker, with a site's settings before it.

use pharos_domain::collect::site::CollectionSettings;
use serde::Serialize;

use crate::sites::Known;

/// The build without real-user monitoring.
const ANALYTICS: &str = include_str!("../../../../tracker/dist/analytics.js");
/// The build with all.
const FULL: &str = include_str!("../../../../tracker/dist/full.js");

#[derive(Serialize)]
struct Settings<'a> {
    site: &'a str,
    version: &'static str,
    events: Option<EventSettings<'a>>,
    vitals: Option<VitalsSettings<'a>>,
}

#[derive(Serialize)]
struct EventSettings<'a> {
    download_extensions: &'a [String],
    page_titles: bool,
    respect_dnt: bool,
}

#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "they are switches of the tracker")]
struct VitalsSettings<'a> {
    sample_rate: f64,
    attribution: bool,
    resources: bool,
    errors: bool,
    soft_navigations: bool,
    ignored_query_params: &'a [String],
    respect_dnt: bool,
}

/// The script of a site: `var pharosSite={…};` and the build that its settings ask for.
#[must_use]
pub fn script(known: &Known) -> String {
    let events = known.events.as_ref().map(|settings| EventSettings {
        download_extensions: &settings.download_extensions,
        page_titles: settings.store_page_titles,
        respect_dnt: settings.respect_dnt,
    });
    let vitals = known.vitals.as_ref().map(of_vitals);
    let build = if vitals.is_some() { FULL } else { ANALYTICS };
    let settings = Settings {
        site: &known.site.key.0,
        version: env!("CARGO_PKG_VERSION"),
        events,
        vitals,
    };
    // A number that is not finite would be the only reason to fail.
    let settings = serde_json::to_string(&settings).unwrap_or_else(|_| "null".to_owned());
    format!("var pharosSite={settings};\n{build}")
}

fn of_vitals(settings: &CollectionSettings) -> VitalsSettings<'_> {
    VitalsSettings {
        sample_rate: settings.sample_rate,
        attribution: settings.attribution,
        resources: settings.resources,
        errors: settings.errors,
        soft_navigations: settings.soft_navigations,
        ignored_query_params: &settings.excluded_query_params,
        respect_dnt: settings.respect_dnt,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{KEY, settings, site};

    #[test]
    fn the_settings_choose_the_build() {
        let known = |vitals| Known::new(site(), Some(settings()), vitals);
        let light = script(&known(None));
        let first = light.lines().next().unwrap();
        assert_eq!(
            first,
            format!(
                r#"var pharosSite={{"site":"{KEY}","version":"{}","events":{{"download_extensions":["pdf"],"page_titles":true,"respect_dnt":false}},"vitals":null}};"#,
                env!("CARGO_PKG_VERSION")
            )
        );
        assert!(light.ends_with(ANALYTICS));
        let full = script(&known(Some(CollectionSettings {
            sample_rate: 0.5,
            resources: false,
            errors: false,
            soft_navigations: true,
            excluded_query_params: vec!["modal".to_owned()],
            respect_dnt: true,
            ..settings()
        })));
        let vitals = r#""vitals":{"sample_rate":0.5,"attribution":true,"resources":false,"errors":false,"soft_navigations":true,"ignored_query_params":["modal"],"respect_dnt":true}"#;
        assert!(full.contains(vitals) && full.ends_with(FULL));
    }

    #[test]
    fn one_setting_says_for_the_whole_script_whether_browsers_are_left_alone_that_ask_for_it() {
        for respect_dnt in [true, false] {
            let vitals = CollectionSettings {
                respect_dnt,
                ..settings()
            };
            let both = script(&Known::new(site(), Some(settings()), Some(vitals)));
            let first = both.lines().next().unwrap();
            let told = format!(r#""respect_dnt":{respect_dnt}"#);
            assert_eq!(first.matches(&told).count(), 2, "{first}");
        }
        let alone = script(&Known::new(site(), Some(settings()), None));
        assert!(alone.lines().next().unwrap().contains(r#""respect_dnt":false"#));
    }
}
