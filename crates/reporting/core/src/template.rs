//! A template: which report is made of a domain, how it looks, and when it is made by itself.

use pharos_domain::{
    ids::{DomainId, ReportTemplateId, UserId},
    settings::{Faults, SettingFault},
    window::Period,
};
use pharos_egress::address_policy::AddressPolicy;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use url::Url;

use crate::{
    catalogue::Catalogue,
    config::{SectionsConfig, is_line},
    format::{ReportFormat, ReportLocale},
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
    /// The colour of headings and courses, `#rrggbb`; null: Pharos' own.
    #[cfg_attr(feature = "openapi", schema(min_length = 7, max_length = 7))]
    pub accent_color: Option<String>,
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
            default_period: Period::Last30Days,
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
        if !is_line(&self.name, NAME_LENGTH) {
            faults.add("name", format!("one line of 1 to {NAME_LENGTH} characters"));
        }
        let is_long = |text: &String| text.chars().count() > DESCRIPTION_LENGTH;
        let is_odd = |text: &String| text.chars().any(|one| one.is_control() && one != '\n');
        if self
            .description
            .as_ref()
            .is_some_and(|text| is_long(text) || is_odd(text))
        {
            faults.add(
                "description",
                format!("a text of at most {DESCRIPTION_LENGTH} characters"),
            );
        }
        faults.within("sections_config", |faults| self.sections.check(catalogue, faults));
        faults.within("branding", |faults| self.branding.check(policy, faults));
        if let Some(schedule) = &self.schedule {
            faults.within("schedule", |faults| schedule.check(faults));
        }
        faults.or(|| Self {
            name: self.name.trim().to_owned(),
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
                _ if logo.len() > LOGO_URL_LENGTH => {
                    faults.add(
                        "logo_url",
                        format!("a URL of at most {LOGO_URL_LENGTH} characters"),
                    );
                }
                Err(_) => faults.add(
                    "logo_url",
                    "an absolute URL such as https://shop.example/logo.png",
                ),
                // PostgreSQL could not store it, and parsing passes over it.
                Ok(_) if logo.contains('\0') => faults.add("logo_url", "a URL without U+0000"),
                Ok(url) => {
                    for fault in policy.url_faults(&url) {
                        faults.add("logo_url", fault.to_string());
                    }
                }
            }
        }
        if self.accent_color.as_deref().is_some_and(|color| !is_color(color)) {
            faults.add("accent_color", "a colour such as #0a7f5c");
        }
    }
}

/// Whether it is `#` and six hexadecimal digits: nothing else gets into a stylesheet.
fn is_color(text: &str) -> bool {
    text.strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}
