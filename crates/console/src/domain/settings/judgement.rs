//! The form of what a check asks for, what it takes for an outage, and when to warn.

use maud::{Markup, html};
use pharos_domain::{
    module::Module,
    settings::{Faults as Judge, SettingFault},
};
use pharos_uptime::monitor::{
    Surroundings,
    settings::{KeywordRequirement, Method, MonitorSettings},
};
use serde_json::json;

use super::{
    Changed, action, changed,
    entries::{tell, words},
    judged,
};
use crate::{
    console::Console,
    enter::AtDomain,
    form::Form,
    parts::form::{Faults, Field, SEEN, as_seen, state, tick, unlike},
    refusal::Refusal,
};

/// The form's fields as they are typed.
pub(super) struct Fields {
    /// The state of the settings that the form was filled from.
    seen: String,
    method: Method,
    timeout_seconds: String,
    expected_status_codes: String,
    follow_redirects: bool,
    keyword: String,
    keyword_mode: KeywordRequirement,
    regions: Vec<String>,
    confirmation_checks: String,
    recovery_checks: String,
    ssl_warn_days: String,
    domain_warn_days: String,
    sla_target_pct: String,
    /// The regions that there are.
    known_regions: Vec<String>,
}

impl Fields {
    /// Those of the stored settings, or of those that a monitor begins with.
    pub(super) async fn stored(console: &Console, here: &AtDomain) -> Result<Self, Refusal> {
        let monitors = &console.parts.monitors.monitors;
        let (monitor, regions) = tokio::try_join!(monitors.view(&here.access), monitors.regions())?;
        let settings = monitor.map_or_else(
            || MonitorSettings::defaults(&here.access.domain().hostname, &regions),
            |monitor| monitor.settings,
        );
        Ok(Self::of(settings, regions))
    }

    fn of(settings: MonitorSettings, known_regions: Vec<String>) -> Self {
        let fields = Self {
            seen: String::new(),
            method: settings.method,
            timeout_seconds: settings.timeout_seconds.to_string(),
            expected_status_codes: settings.expected_status_codes.join(", "),
            follow_redirects: settings.follow_redirects,
            keyword: settings.keyword.unwrap_or_default(),
            keyword_mode: settings.keyword_mode.unwrap_or(KeywordRequirement::Present),
            regions: settings.regions,
            confirmation_checks: settings.confirmation_checks.to_string(),
            recovery_checks: settings.recovery_checks.to_string(),
            ssl_warn_days: days(&settings.ssl_warn_days),
            domain_warn_days: days(&settings.domain_warn_days),
            sla_target_pct: settings
                .sla_target_pct
                .map(|target| target.to_string())
                .unwrap_or_default(),
            known_regions,
        };
        Self {
            seen: fields.state(),
            ..fields
        }
    }

    fn state(&self) -> String {
        let texts = [
            self.method.as_str(),
            &self.timeout_seconds,
            &self.expected_status_codes,
            if self.follow_redirects { "yes" } else { "" },
            &self.keyword,
            self.keyword_mode.as_str(),
            &self.confirmation_checks,
            &self.recovery_checks,
            &self.ssl_warn_days,
            &self.domain_warn_days,
            &self.sla_target_pct,
        ];
        state(texts.into_iter().chain(self.regions.iter().map(String::as_str)))
    }

    fn sent(form: &Form, known_regions: Vec<String>) -> Result<Self, Refusal> {
        let typed = |name: &str| form.one(name).trim().to_owned();
        Ok(Self {
            seen: form.one(SEEN).to_owned(),
            // Two of a choice: no browser sends anything else.
            method: form.one("method").parse().map_err(|_| Refusal::NoForm)?,
            timeout_seconds: typed("timeout_seconds"),
            expected_status_codes: typed("expected_status_codes"),
            follow_redirects: form.one("follow_redirects") == "yes",
            keyword: form.one("keyword").to_owned(),
            keyword_mode: form.one("keyword_mode").parse().map_err(|_| Refusal::NoForm)?,
            regions: form.all("regions").map(str::to_owned).collect(),
            confirmation_checks: typed("confirmation_checks"),
            recovery_checks: typed("recovery_checks"),
            ssl_warn_days: typed("ssl_warn_days"),
            domain_warn_days: typed("domain_warn_days"),
            sla_target_pct: typed("sla_target_pct"),
            known_regions,
        })
    }

    /// The settings that they make of the present ones. A text that can't be read is a fault, and leaves its setting as it is.
    fn over(&self, present: MonitorSettings, faults: &mut Faults) -> MonitorSettings {
        let mut whole = |field: &str, typed: &str, present: u32| {
            typed.parse::<u32>().unwrap_or_else(|_| {
                faults.add(field, "A whole number, such as 2.");
                present
            })
        };
        let timeout_seconds = whole("timeout_seconds", &self.timeout_seconds, present.timeout_seconds);
        let confirmation_checks = whole(
            "confirmation_checks",
            &self.confirmation_checks,
            present.confirmation_checks,
        );
        let recovery_checks = whole("recovery_checks", &self.recovery_checks, present.recovery_checks);
        let mut on_days = |field: &str, typed: &str, present: Vec<u32>| {
            let read: Result<Vec<u32>, _> = words(typed).iter().map(|day| day.parse()).collect();
            read.unwrap_or_else(|_| {
                faults.add(field, "Numbers of days with commas between them, such as 30, 7.");
                present
            })
        };
        let ssl_warn_days = on_days("ssl_warn_days", &self.ssl_warn_days, present.ssl_warn_days);
        let domain_warn_days = on_days(
            "domain_warn_days",
            &self.domain_warn_days,
            present.domain_warn_days,
        );
        let sla_target_pct = match self.sla_target_pct.as_str() {
            "" => None,
            typed => typed.parse::<f64>().ok().or_else(|| {
                faults.add("sla_target_pct", "A number, such as 99.9, or nothing.");
                present.sla_target_pct
            }),
        };
        // It could not be stored.
        if self.keyword.contains('\0') {
            faults.add("keyword", "A text without the character NUL.");
        }
        let keyword = Some(self.keyword.clone()).filter(|keyword| !keyword.is_empty());
        MonitorSettings {
            method: self.method,
            timeout_seconds,
            expected_status_codes: words(&self.expected_status_codes),
            follow_redirects: self.follow_redirects,
            keyword_mode: keyword.as_ref().map(|_| self.keyword_mode),
            keyword,
            regions: self.regions.clone(),
            confirmation_checks,
            recovery_checks,
            ssl_warn_days,
            domain_warn_days,
            sla_target_pct,
            enabled: present.enabled,
            url: present.url,
            interval_seconds: present.interval_seconds,
            degraded_above_ms: present.degraded_above_ms,
            verify_tls: present.verify_tls,
            maintenance_windows: present.maintenance_windows,
            request_headers: present.request_headers,
        }
    }
}

fn days(days: &[u32]) -> String {
    let days: Vec<String> = days.iter().map(u32::to_string).collect();
    days.join(", ")
}

/// Changes the monitor that there is; gives the fields back with their faults where they have some.
pub(super) async fn submit(
    console: &Console,
    here: &AtDomain,
    sent: &Form,
) -> Result<Result<(), (Fields, Faults)>, Refusal> {
    let monitors = &console.parts.monitors.monitors;
    let (monitor, regions) = tokio::try_join!(monitors.view(&here.access), monitors.regions())?;
    let fields = Fields::sent(sent, regions.clone())?;
    let mut faults = Faults::default();
    let Some(monitor) = monitor else {
        faults.add("enabled", "Set monitoring up first: it begins with the address.");
        return Ok(Err((fields, faults)));
    };
    let state_of = |settings: &MonitorSettings| Fields::of(settings.clone(), Vec::new()).seen;
    if let Some(faults) = unlike(&fields.seen, &state_of(&monitor.settings)) {
        return Ok(Err((fields, faults)));
    }
    let around = Surroundings {
        hostname: &here.access.domain().hostname,
        regions: &regions,
        policy: &console.parts.policy,
    };
    let checked = |settings: MonitorSettings| {
        let mut judge = Judge::default();
        settings.check(&around, &mut judge);
        judge.or(|| settings.normalised())
    };
    let next = fields.over(monitor.settings, &mut faults);
    let details = json!({
        "method": next.method,
        "timeout_seconds": next.timeout_seconds,
        "expected_status_codes": next.expected_status_codes,
        "follow_redirects": next.follow_redirects,
        "keyword": next.keyword,
        "keyword_mode": next.keyword_mode,
        "regions": next.regions,
        "confirmation_checks": next.confirmation_checks,
        "recovery_checks": next.recovery_checks,
        "ssl_warn_days": next.ssl_warn_days,
        "domain_warn_days": next.domain_warn_days,
        "sla_target_pct": next.sla_target_pct,
    });
    if let Err(found) = checked(next) {
        tell("", found, &mut faults);
    }
    if !faults.is_empty() {
        return Ok(Err((fields, faults)));
    }
    // Somebody may have changed the other settings meanwhile; these are laid over what they are by then.
    let change = |present: Option<&MonitorSettings>| -> Result<MonitorSettings, Vec<SettingFault>> {
        let present = present
            .cloned()
            .unwrap_or_else(|| MonitorSettings::defaults(around.hostname, around.regions));
        as_seen(&fields.seen, &state_of(&present))?;
        checked(fields.over(present, &mut Faults::default()))
    };
    let noted = changed(console, here, Module::Uptime, details);
    let (by, now) = (here.user.session.user, console.parts.clock.now());
    match judged(monitors.update(&noted, &change, by, now).await)? {
        Changed::Done => Ok(Ok(())),
        Changed::Faulty(faults) => Ok(Err((fields, faults))),
    }
}

pub(super) fn section(here: &AtDomain, fields: &Fields, faults: &Faults) -> Markup {
    let methods = Method::ALL
        .iter()
        .map(|method| (method.as_str(), method.as_str()));
    let modes = [("present", "has to be there"), ("absent", "must not be there")];
    html! {
        section.card id="judgement" aria-labelledby="judgement-head" {
            h2 id="judgement-head" { "What counts as down" }
            (faults.summary())
            form method="post" action=(action(here)) {
                (here.user.token_field())
                input type="hidden" name="do" value="judgement";
                input type="hidden" name=(SEEN) value=(fields.seen);
                (Field::new("method", "Method", fields.method.as_str()).faults(faults).select(methods))
                (Field::new("timeout_seconds", "Longest wait, in seconds", &fields.timeout_seconds).max(2).faults(faults).line())
                (Field::new("expected_status_codes", "Codes that are up", &fields.expected_status_codes).max(200).faults(faults)
                    .hint("Codes and classes with commas between them, such as 2xx, 301.").line())
                (tick("follow_redirects", "follow_redirects", "yes", &html! { "Follow redirects" }, fields.follow_redirects))
                (Field::new("keyword", "Text in the page", &fields.keyword).optional().max(1_000).faults(faults).line())
                (Field::new("keyword_mode", "This text", fields.keyword_mode.as_str()).faults(faults).select(modes))
                fieldset id="regions" tabindex="-1" {
                    legend { "Checked from" }
                    @if let Some(fault) = faults.of("regions") { p.wrong { (fault) } }
                    @for region in &fields.known_regions {
                        (tick(&format!("region-{region}"), "regions", region, &html! { (region) }, fields.regions.contains(region)))
                    }
                }
                (Field::new("confirmation_checks", "Failing checks that confirm an outage", &fields.confirmation_checks).max(2)
                    .faults(faults).line())
                (Field::new("recovery_checks", "Passing checks that end it", &fields.recovery_checks).max(2).faults(faults).line())
                (Field::new("ssl_warn_days", "Warn of the certificate’s end, days before", &fields.ssl_warn_days).optional().max(200)
                    .faults(faults).line())
                (Field::new("domain_warn_days", "Warn of the registration’s end, days before", &fields.domain_warn_days).optional()
                    .max(200).faults(faults).line())
                (Field::new("sla_target_pct", "Promised availability, in percent", &fields.sla_target_pct).optional().max(10)
                    .faults(faults).line())
                div.actions { button type="submit" { "Save what counts" } }
            }
            p.note { "Headers that checks send are set by the API: " code { "PUT /domains/" (here.id()) "/uptime/config" } }
        }
    }
}
