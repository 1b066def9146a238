//! The form of a channel's settings, for a new one and for one that is edited.

use actix_web::http::StatusCode;
use maud::{Markup, html};
use pharos_account::admin::domains::DomainDetails;
use pharos_alerting::delivery::{
    channel::{ChannelError, ChannelSettings},
    kind::{ChannelKind, FieldInput, TargetField},
    quiet_hours::QuietHours,
    target::{FillError, Target},
};
use pharos_domain::{
    hostname::Hostname,
    ids::{DomainId, WorkspaceId},
    module::Module,
    severity::Severity,
};

use super::named;
use crate::{
    console::Console,
    form::Form,
    parts::form::{Faults, Field},
    refusal::Refusal,
    shown::shown,
    words,
};

/// The note at the field of a secret that is stored already.
const STAYS: &str = "It is not shown again. Left empty, it stays as it is, unless another secret is given.";

/// The field of the name of a domain.
const DOMAIN_NAME: &str = "domain_name";
/// Among so many domains a channel's can be chosen. Where there are more, it is named, so that the page stays small.
const MOST_CHOICES: usize = 50;

/// The contents of the fields, as text.
pub(super) struct Filled {
    kind: ChannelKind,
    /// Whether secrets that are not given anew stay.
    keeps_secrets: bool,
    name: String,
    domain: String,
    domain_name: String,
    min_severity: String,
    modules: Vec<String>,
    quiet_hours: String,
    target: Vec<(&'static str, String)>,
    faults: Faults,
}

/// The channel that a form asks for.
pub(super) struct Asked {
    pub(super) domain_id: Option<DomainId>,
    pub(super) settings: ChannelSettings,
}

impl Filled {
    /// The fields of a new channel.
    pub(super) fn new(kind: ChannelKind) -> Self {
        Self {
            kind,
            keeps_secrets: false,
            name: String::new(),
            domain: String::new(),
            domain_name: String::new(),
            min_severity: Severity::Warning.as_str().to_owned(),
            modules: Vec::new(),
            quiet_hours: String::new(),
            target: Vec::new(),
            faults: Faults::default(),
        }
    }

    /// The fields of a channel as it is. Its secrets are not shown.
    pub(super) fn of(settings: &ChannelSettings, domain: Option<DomainId>) -> Self {
        let fields = settings.target.kind().spec().fields.iter();
        let shown = fields.filter(|field| !field.is_secret());
        Self {
            kind: settings.target.kind(),
            keeps_secrets: true,
            name: settings.name.clone(),
            domain: domain.map(|domain| domain.to_string()).unwrap_or_default(),
            domain_name: String::new(),
            min_severity: settings.min_severity.as_str().to_owned(),
            modules: settings.modules.iter().map(ToString::to_string).collect(),
            quiet_hours: settings
                .quiet_hours
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            target: shown
                .map(|field| (field.name, settings.target.value(field.name)))
                .collect(),
            faults: Faults::default(),
        }
    }

    /// The fields as they were sent, for the form that tells their faults.
    pub(super) fn sent(kind: ChannelKind, keeps_secrets: bool, form: &Form, faults: Faults) -> Self {
        let fields = kind.spec().fields.iter();
        Self {
            kind,
            keeps_secrets,
            name: form.one("name").to_owned(),
            domain: form.one("domain").to_owned(),
            domain_name: form.one(DOMAIN_NAME).to_owned(),
            min_severity: form.one("min_severity").to_owned(),
            modules: form.all("module").map(str::to_owned).collect(),
            quiet_hours: form.one("quiet_hours").to_owned(),
            target: fields
                .map(|field| (field.name, form.one(&name_of(field)).to_owned()))
                .collect(),
            faults,
        }
    }

    /// The status of the page with them.
    pub(super) fn status(&self) -> StatusCode {
        self.faults.status()
    }

    fn target(&self, field: &TargetField) -> &str {
        let found = self.target.iter().find(|(name, _)| *name == field.name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// The fields.
    pub(super) async fn fields(&self, console: &Console, workspace: WorkspaceId) -> Result<Markup, Refusal> {
        let mut domains: Vec<DomainDetails> = console.parts.domains.list(workspace).await?;
        // A channel about a domain that was deleted stays one: whoever changes its name does not open it to the workspace.
        domains.retain(|domain| domain.deleted_at.is_none() || self.domain == domain.id.to_string());
        let is_long = domains.len() > MOST_CHOICES;
        if is_long {
            domains.retain(|domain| self.domain == domain.id.to_string());
        }
        Ok(html! {
            (self.faults.summary())
            (Field::new("name", "Name", &self.name).max(100).placeholder("On call").faults(&self.faults).line())
            @for field in self.kind.spec().fields { (self.of_target(field)) }
            div.field {
                label for="domain" { "About" }
                select id="domain" name="domain" {
                    option value="" { "everything of the workspace" }
                    @for domain in &domains {
                        option value=(domain.id) selected[self.domain == domain.id.to_string()] { (named(domain)) }
                    }
                }
            }
            @if is_long {
                (Field::new(DOMAIN_NAME, "Only about this domain", &self.domain_name).optional().faults(&self.faults)
                    .hint("By its name, such as shop.example.").line())
            }
            div.field {
                label for="min_severity" { "How bad" }
                select id="min_severity" name="min_severity" {
                    @for one in Severity::ALL {
                        option value=(one) selected[self.min_severity == one.as_str()] {
                            (one) @if *one != Severity::Critical { " or worse" }
                        }
                    }
                }
            }
            fieldset {
                legend { "Only about these modules" }
                p.hint { "None ticked: all." }
                @for module in Module::ALL {
                    div.box {
                        input type="checkbox" id={ "module-" (module) } name="module" value=(module)
                            checked[self.modules.iter().any(|ticked| ticked == module.as_str())];
                        label for={ "module-" (module) } { (words::module(*module)) }
                    }
                }
            }
            (Field::new("quiet_hours", "Quiet hours", &self.quiet_hours)
                .optional()
                .hint("Then only what is critical is delivered; the rest waits.")
                .placeholder("22:00-07:00 Europe/Berlin")
                .faults(&self.faults)
                .line())
        })
    }

    fn of_target(&self, field: &TargetField) -> Markup {
        let name = name_of(field);
        let stays = self.keeps_secrets && field.is_secret();
        let hint = match stays {
            true => format!("{} {STAYS}", field.hint),
            false => field.hint.to_owned(),
        };
        let shown = Field::new(&name, field.label, self.target(field))
            .hint(&hint)
            .faults(&self.faults);
        let shown = if field.is_optional || stays {
            shown.optional()
        } else {
            shown
        };
        match field.input {
            FieldInput::Choice(choices) => {
                let choices: Vec<(&str, String)> = choices
                    .iter()
                    .map(|choice| (*choice, choice.to_uppercase()))
                    .collect();
                shown.select(choices.iter().map(|(choice, text)| (*choice, text.as_str())))
            }
            FieldInput::Address => shown.kind("email").line(),
            FieldInput::Url => shown.kind("url").line(),
            FieldInput::Key => shown.kind("password").autocomplete("new-password").line(),
            FieldInput::Text => shown.line(),
        }
    }
}

/// The domain that a form names, or why there is none.
type NamedDomain = Result<Option<DomainId>, String>;

/// The domain that a form names, by its hostname, in whatever script, or by the name that people gave it.
pub(super) async fn named_domain(
    console: &Console,
    workspace: WorkspaceId,
    form: &Form,
) -> Result<NamedDomain, Refusal> {
    let name = form.one(DOMAIN_NAME).trim();
    if name.is_empty() {
        return Ok(Ok(None));
    }
    let parsed: Option<Hostname> = name.parse().ok();
    let hostname = parsed.as_ref().map_or(name, Hostname::as_str);
    let domains = console.parts.domains.list(workspace).await?;
    let found = domains.iter().find(|domain| {
        let is_called_so = domain.domain == hostname || domain.display_name.as_deref() == Some(name);
        is_called_so && domain.deleted_at.is_none()
    });
    Ok(match found {
        Some(domain) => Ok(Some(domain.id)),
        None => Err(format!("No domain of this workspace is called {}.", shown(name))),
    })
}

/// The channel that a form asks for, or the faults of the form. `before` is the target of the channel that is edited; `named` the
/// domain that is named, which takes the place of the one that is chosen.
pub(super) fn asked(
    kind: ChannelKind,
    before: Option<&Target>,
    form: &Form,
    named: NamedDomain,
) -> Result<Result<Asked, Faults>, Refusal> {
    let mut faults = Faults::default();
    let domain = form.one("domain");
    let chosen = match domain.parse() {
        Ok(domain) => Some(domain),
        Err(_) if domain.is_empty() => None,
        Err(_) => return Err(Refusal::NoForm),
    };
    let domain_id = named.unwrap_or_else(|why| {
        faults.add(DOMAIN_NAME, why);
        None
    });
    let domain_id = domain_id.or(chosen);
    let quiet: Option<Result<QuietHours, _>> = Some(form.one("quiet_hours").trim())
        .filter(|hours| !hours.is_empty())
        .map(str::parse);
    let modules: Result<Vec<Module>, _> = form.all("module").map(str::parse).collect();
    let value = |field: &TargetField| form.one(&name_of(field)).to_owned();
    let target = match before {
        Some(before) => before.refilled(value),
        None => Target::filled(kind, value),
    };
    let target = target.map_err(|error| match error {
        FillError::NoRandomness(error) => {
            tracing::error!(%error, "a webhook gets no secret");
            Refusal::Internal
        }
        FillError::Choice(_) | FillError::Fields => Refusal::NoForm,
    })?;
    let settings = ChannelSettings {
        name: form.one("name").trim().to_owned(),
        target,
        min_severity: form.one("min_severity").parse().map_err(|_| Refusal::NoForm)?,
        modules: modules.map_err(|_| Refusal::NoForm)?,
        quiet_hours: None,
    };
    if !settings.is_named() {
        faults.add("name", ChannelError::Name.to_string());
    }
    for (field, why) in settings.target.faults() {
        faults.add(format!("target_{field}"), why.to_string());
    }
    let quiet_hours = quiet.transpose().unwrap_or_else(|why| {
        faults.add("quiet_hours", why.to_string());
        None
    });
    if !faults.is_empty() {
        return Ok(Err(faults));
    }
    Ok(Ok(Asked {
        domain_id,
        settings: ChannelSettings {
            quiet_hours,
            ..settings
        },
    }))
}

/// The name of a target's field in the form, where another field may have its own.
fn name_of(field: &TargetField) -> String {
    format!("target_{}", field.name)
}
