//! A template: which report is made of a domain, how it looks, and when it is made by itself.

use pharos_domain::{
    ids::{DomainId, ReportTemplateId, UserId},
    settings::{Faults, SettingFault},
    window::Period,
};
use pharos_egress::address_policy::{AddressPolicy, UrlFault};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use url::Url;

use crate::{
    catalogue::Catalogue,
    config::{SectionsConfig, line_fault},
    format::{ReportFormat, ReportLocale, ScheduleFrequency},
    schedule::Schedule,
};

/// How long a name may be, in characters.
pub const NAME_LENGTH: usize = 120;
/// How long a description may be, in characters.
pub const DESCRIPTION_LENGTH: usize = 1_000;
/// How long the URL of a logo may be.
pub const LOGO_URL_LENGTH: usize = 2_000;
/// How many templates a domain may have, whatever the plan says.
pub const MOST_TEMPLATES: u32 = 100;

/// A template.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// The id by which it is looked up.
    pub id: ReportTemplateId,
    /// The domain that it is of.
    pub domain_id: DomainId,
    /// Its owner's choices.
    pub settings: TemplateSettings,
    /// How many recipients its reports go to.
    pub recipients: u32,
    /// When a report was made of it last.
    pub last_run_at: Option<OffsetDateTime>,
    /// Who made it.
    pub created_by: Option<UserId>,
    /// When it was made.
    pub created_at: OffsetDateTime,
    /// When it was changed last.
    pub updated_at: OffsetDateTime,
}

/// The choices of the owner of a template.
#[derive(Clone, Debug, PartialEq)]
pub struct TemplateSettings {
    /// Its name, the only one of its domain, whatever the case.
    pub name: String,
    /// Its purpose, for people.
    pub description: Option<String>,
    /// Its sections and widgets.
    pub sections: SectionsConfig,
    /// How numbers and dates are written.
    pub locale: ReportLocale,
    /// The form of its reports.
    pub format: ReportFormat,
    /// The days of a report that is asked for without any.
    pub default_period: Period,
    /// Whether the days before are shown beside.
    pub compare_previous: bool,
    /// How its reports look.
    pub branding: Branding,
    /// When a report is made by itself; `None`: never.
    pub schedule: Option<Schedule>,
}

/// How reports look.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ReportBranding))]
#[serde(default, deny_unknown_fields)]
pub struct Branding {
    /// A PNG, JPEG or WebP picture, at most 1 MB and 4,194,304 pixels, that is fetched when a report is made; null for none.
    #[cfg_attr(feature = "openapi", schema(max_length = 2000))]
    pub logo_url: Option<String>,
    /// The colour of headings and courses; null: Pharos' own.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<ReportColor>))]
    pub accent_color: Option<String>,
}

/// The schema of a colour. Its description is what a caller is told of one that does not fit.
#[cfg(feature = "openapi")]
#[derive(Debug)]
pub enum ReportColor {}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for ReportColor {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::schema::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .pattern(Some("^#[0-9A-Fa-f]{6}$"))
            .description(Some("A colour such as #0a7f5c: # and six hexadecimal digits."))
            .into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for ReportColor {}

/// The days that reports are about where nobody chose any. Those of a schedule are over when it is due, and no day is in two reports.
#[must_use]
pub fn usual_period(schedule: Option<&Schedule>) -> Period {
    match schedule.map(|schedule| schedule.frequency) {
        Some(ScheduleFrequency::Monthly) => Period::LastMonth,
        Some(ScheduleFrequency::Weekly) => Period::LastWeek,
        None => Period::Last30Days,
    }
}

impl TemplateSettings {
    /// Those of a template of which nothing but the name was chosen.
    #[must_use]
    pub fn ready_made(name: String, catalogue: &Catalogue) -> Self {
        Self {
            name,
            description: None,
            sections: catalogue.ready_made(),
            locale: ReportLocale::En,
            format: ReportFormat::Pdf,
            default_period: usual_period(None),
            compare_previous: true,
            branding: Branding::default(),
            schedule: None,
        }
    }

    /// Judges them: all faults at once.
    ///
    /// # Errors
    /// The faults.
    pub fn checked(self, catalogue: &Catalogue, policy: &AddressPolicy) -> Result<Self, Vec<SettingFault>> {
        let mut faults = Faults::default();
        if let Some(fault) = line_fault(&self.name, NAME_LENGTH) {
            faults.add("name", fault);
        }
        let text = self.description.as_deref().unwrap_or_default();
        if text.chars().count() > DESCRIPTION_LENGTH {
            faults.add("description", longer(DESCRIPTION_LENGTH));
        } else if text.chars().any(|one| one.is_control() && one != '\n') {
            faults.add("description", "holds a control character");
        }
        faults.within("sections_config", |faults| self.sections.check(catalogue, faults));
        faults.within("branding", |faults| self.branding.check(policy, faults));
        if let Some(schedule) = &self.schedule {
            faults.within("schedule", |faults| schedule.check(faults));
        }
        faults.or(|| Self {
            name: self.name.trim().to_owned(),
            schedule: self.schedule.map(Schedule::with_zones_own_name),
            ..self
        })
    }

    /// The name as names are compared: without case.
    #[must_use]
    pub fn name_key(&self) -> String {
        self.name.trim().to_lowercase()
    }
}

impl Branding {
    fn check(&self, policy: &AddressPolicy, faults: &mut Faults) {
        if let Some(logo) = &self.logo_url {
            match Url::parse(logo) {
                _ if logo.chars().count() > LOGO_URL_LENGTH => {
                    faults.add("logo_url", longer(LOGO_URL_LENGTH));
                }
                Err(_) => faults.add(
                    "logo_url",
                    "not an absolute URL such as https://shop.example/logo.png",
                ),
                // PostgreSQL could not store it, and parsing passes over it.
                Ok(_) if logo.contains('\0') => faults.add("logo_url", "holds the character U+0000"),
                Ok(url) => {
                    let found = policy.url_faults(&url);
                    // A URL of another kind has neither host nor port in the places where they are looked for.
                    let of_scheme = found.iter().find(|fault| **fault == UrlFault::Scheme);
                    for fault in of_scheme.map_or(&*found, std::slice::from_ref) {
                        faults.add("logo_url", logo_fault(fault));
                    }
                }
            }
        }
        if self.accent_color.as_deref().is_some_and(|color| !is_color(color)) {
            faults.add(
                "accent_color",
                "not a colour such as #0a7f5c: # and six hexadecimal digits",
            );
        }
    }
}

/// The fault of a URL in words for members of a workspace: they set no networks free, and a logo is fetched, not checked.
pub(crate) fn logo_fault(fault: &UrlFault) -> String {
    match fault {
        UrlFault::InternalName | UrlFault::Address(_) => {
            "not at a public address: a logo is fetched from the internet alone".to_owned()
        }
        other => other.to_string(),
    }
}

/// As schemas say it.
pub(crate) fn longer(most: usize) -> String {
    format!("longer than {most} characters")
}

/// Whether it is `#` and six hexadecimal digits: nothing else gets into a stylesheet.
fn is_color(text: &str) -> bool {
    text.strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(change: impl FnOnce(&mut TemplateSettings)) -> Vec<(String, String)> {
        let catalogue = Catalogue::new(Vec::new()).unwrap();
        let mut settings = TemplateSettings::ready_made("Monthly".to_owned(), &catalogue);
        change(&mut settings);
        let found = settings
            .checked(&catalogue, &AddressPolicy::public())
            .err()
            .unwrap_or_default();
        found
            .into_iter()
            .map(|fault| (fault.pointer, fault.detail))
            .collect()
    }

    fn of_logo(url: &str) -> Vec<String> {
        let found = faults(|settings| settings.branding.logo_url = Some(url.to_owned()));
        assert!(
            found.iter().all(|(pointer, _)| pointer == "/branding/logo_url"),
            "{found:?}"
        );
        found.into_iter().map(|(_, detail)| detail).collect()
    }

    #[test]
    fn a_logo_that_cannot_be_fetched_is_told_once_and_of_fetching() {
        assert_eq!(of_logo("https://shop.example/logo.png"), [""; 0]);
        for other in ["ftp://x", "data:image/png;base64,AAAA", "file:///etc/passwd"] {
            assert_eq!(
                of_logo(other),
                ["the URL must begin with http:// or https://"],
                "{other}"
            );
        }
        for inside in [
            "http://169.254.169.254/a.png",
            "http://[::1]/a.png",
            "https://intranet/a.png",
        ] {
            assert_eq!(
                of_logo(inside),
                ["not at a public address: a logo is fetched from the internet alone"],
                "{inside}"
            );
        }
        let both = of_logo("https://me:secret@10.0.0.1/a.png");
        assert_eq!(both.len(), 2, "{both:?}");
        assert_eq!(
            of_logo("logo.png"),
            ["not an absolute URL such as https://shop.example/logo.png"]
        );
        let long = format!("https://shop.example/{}", "x".repeat(LOGO_URL_LENGTH));
        assert_eq!(of_logo(&long), ["longer than 2000 characters"]);
    }

    #[test]
    fn what_a_schema_says_too_has_its_words() {
        let name = |name: &str| {
            let found = faults(|settings| name.clone_into(&mut settings.name));
            found.into_iter().map(|(_, detail)| detail).collect::<Vec<_>>()
        };
        assert_eq!(name(""), ["empty"]);
        assert_eq!(name(" \u{200b}"), ["empty"]);
        assert_eq!(name(&"x".repeat(121)), ["longer than 120 characters"]);
        assert_eq!(name("a\nb"), ["not one line of plain text"]);
        for color in ["red", "#12345g", "#1234567", "0a7f5c0"] {
            let found = faults(|settings| settings.branding.accent_color = Some(color.to_owned()));
            assert_eq!(
                found,
                [(
                    "/branding/accent_color".to_owned(),
                    "not a colour such as #0a7f5c: # and six hexadecimal digits".to_owned()
                )],
                "{color}"
            );
        }
        let long = "x".repeat(DESCRIPTION_LENGTH + 1);
        for (text, told) in [
            (&*long, "longer than 1000 characters"),
            ("a\tb", "holds a control character"),
        ] {
            let found = faults(|settings| settings.description = Some(text.to_owned()));
            assert_eq!(found, [("/description".to_owned(), told.to_owned())]);
        }
    }

    #[test]
    fn a_time_zone_is_kept_by_its_own_name() {
        let catalogue = Catalogue::new(Vec::new()).unwrap();
        let settings = TemplateSettings {
            schedule: Some(Schedule {
                enabled: true,
                frequency: ScheduleFrequency::Weekly,
                weekday: Some(1),
                day_of_month: None,
                hour: 8,
                timezone: "europe/BERLIN".to_owned(),
            }),
            ..TemplateSettings::ready_made("Weekly".to_owned(), &catalogue)
        };
        let kept = settings.checked(&catalogue, &AddressPolicy::public()).unwrap();
        assert_eq!(kept.schedule.unwrap().timezone, "Europe/Berlin");
    }
}
