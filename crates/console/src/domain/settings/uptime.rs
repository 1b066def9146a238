//! The form of the settings of a monitor that people change most, such as the address and the interval. The API has all settings.

use maud::{Markup, html};
use pharos_domain::{
    module::Module,
    settings::{Faults as Judge, SettingFault},
};
use pharos_uptime::monitor::{
    Surroundings,
    settings::{INTERVALS, MonitorSettings},
};
use serde_json::json;
use time::Duration;

use super::{Changed, action, changed, judged};
use crate::{
    console::Console,
    enter::AtDomain,
    form::Form,
    parts::form::{Faults, Field, SEEN, as_seen, state, tick},
    refusal::Refusal,
    words,
};

/// The form's fields as they are typed.
pub(super) struct Fields {
    /// The state of the settings that the form was filled from.
    seen: String,
    is_enabled: bool,
    url: String,
    interval: String,
    degraded_above_ms: String,
    verify_tls: bool,
}

impl Fields {
    /// Those of the stored settings, or of those that a monitor begins with.
    pub(super) async fn stored(console: &Console, here: &AtDomain) -> Result<Self, Refusal> {
        let monitors = &console.parts.monitors.monitors;
        let (monitor, regions) = tokio::try_join!(monitors.view(&here.access), monitors.regions())?;
        let is_new = monitor.is_none();
        let settings = monitor.map_or_else(
            || MonitorSettings::defaults(&here.access.domain().hostname, &regions),
            |monitor| monitor.settings,
        );
        Ok(Self::of(settings, is_new))
    }

    fn of(settings: MonitorSettings, is_new: bool) -> Self {
        let fields = Self {
            seen: String::new(),
            is_enabled: settings.enabled && !is_new,
            url: settings.url,
            interval: settings.interval_seconds.to_string(),
            degraded_above_ms: settings
                .degraded_above_ms
                .map(|ms| ms.to_string())
                .unwrap_or_default(),
            verify_tls: settings.verify_tls,
        };
        Self {
            seen: fields.state(),
            ..fields
        }
    }

    fn state(&self) -> String {
        let box_of = |is_ticked: bool| if is_ticked { "yes" } else { "" };
        state([
            box_of(self.is_enabled),
            &self.url,
            &self.interval,
            &self.degraded_above_ms,
            box_of(self.verify_tls),
        ])
    }

    fn sent(form: &Form) -> Self {
        Self {
            seen: form.one(SEEN).to_owned(),
            is_enabled: form.one("enabled") == "yes",
            url: form.one("url").trim().to_owned(),
            interval: form.one("interval_seconds").to_owned(),
            degraded_above_ms: form.one("degraded_above_ms").trim().to_owned(),
            verify_tls: form.one("verify_tls") == "yes",
        }
    }
}

/// Changes the monitor, or makes it; gives the fields back with their faults where they have some.
pub(super) async fn submit(
    console: &Console,
    here: &AtDomain,
    sent: &Form,
) -> Result<Result<(), (Fields, Faults)>, Refusal> {
    let fields = Fields::sent(sent);
    let mut faults = Faults::default();
    // One of a choice: no browser sends anything else.
    let interval_seconds: u32 = fields.interval.parse().map_err(|_| Refusal::NoForm)?;
    let degraded_above_ms: Option<u32> = match fields.degraded_above_ms.as_str() {
        "" => None,
        text => match text.parse() {
            Ok(ms) => Some(ms),
            Err(_) => {
                faults.add("degraded_above_ms", "A whole number of milliseconds, or nothing.");
                return Ok(Err((fields, faults)));
            }
        },
    };
    // Parsing passes over it, and neither the settings nor the audit trail could be stored with it.
    if fields.url.contains('\0') {
        faults.add("url", "An address such as https://shop.example/.");
        return Ok(Err((fields, faults)));
    }
    let monitors = &console.parts.monitors.monitors;
    let regions = monitors.regions().await?;
    let hostname = &here.access.domain().hostname;
    let around = Surroundings {
        hostname,
        regions: &regions,
        policy: &console.parts.policy,
    };
    let change = |present: Option<&MonitorSettings>| -> Result<MonitorSettings, Vec<SettingFault>> {
        let is_new = present.is_none();
        let present = present
            .cloned()
            .unwrap_or_else(|| MonitorSettings::defaults(hostname, &regions));
        as_seen(&fields.seen, &Fields::of(present.clone(), is_new).seen)?;
        let next = MonitorSettings {
            enabled: fields.is_enabled,
            url: fields.url.clone(),
            interval_seconds,
            degraded_above_ms,
            verify_tls: fields.verify_tls,
            ..present
        };
        let mut judge = Judge::default();
        next.check(&around, &mut judge);
        judge.or(|| next.normalised())
    };
    let details = json!({
        "enabled": fields.is_enabled,
        "url": fields.url,
        "interval_seconds": interval_seconds,
        "degraded_above_ms": degraded_above_ms,
        "verify_tls": fields.verify_tls,
    });
    let noted = changed(console, here, Module::Uptime, details);
    let (by, now) = (here.user.session.user, console.parts.clock.now());
    match judged(monitors.update(&noted, &change, by, now).await)? {
        Changed::Done => Ok(Ok(())),
        Changed::Faulty(faults) => Ok(Err((fields, faults))),
    }
}

pub(super) fn section(here: &AtDomain, fields: &Fields, faults: &Faults) -> Markup {
    let intervals: Vec<(String, String)> = INTERVALS
        .iter()
        .map(|seconds| {
            let length = words::length(Duration::seconds((*seconds).into()));
            (seconds.to_string(), format!("every {length}"))
        })
        .collect();
    html! {
        section.card id="uptime" aria-labelledby="uptime-head" {
            h2 id="uptime-head" { "Monitoring" }
            (faults.summary())
            form method="post" action=(action(here)) {
                (here.user.token_field())
                input type="hidden" name="do" value="uptime";
                input type="hidden" name=(SEEN) value=(fields.seen);
                (tick("enabled", "enabled", "yes", &html! { "Check this site" }, fields.is_enabled))
                (Field::new("url", "Address", &fields.url).max(2048).faults(faults)
                    .hint("On the domain or below it, with http:// or https://.").line())
                (Field::new("interval_seconds", "How often, from each region", &fields.interval).faults(faults)
                    .select(intervals.iter().map(|(value, text)| (value.as_str(), text.as_str()))))
                (Field::new("degraded_above_ms", "Slow above, in milliseconds", &fields.degraded_above_ms).optional().max(5)
                    .faults(faults).hint("An answer that takes longer is up, but degraded.").line())
                (tick("verify_tls", "verify_tls", "yes", &html! { "A certificate that is not valid counts as down" }, fields.verify_tls))
                div.actions { button type="submit" { "Save monitoring" } }
            }
        }
    }
}
