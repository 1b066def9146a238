//! Maintenance windows: those that there are, a new one, and the end of one.

use maud::{Markup, html};
use pharos_domain::{ids::MaintenanceWindowId, module::Module, settings::Faults as Judge};
use pharos_uptime::monitor::{
    Surroundings,
    maintenance::{MaintenanceWindow, Recurrence},
    settings::MonitorSettings,
};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime, PrimitiveDateTime, macros::format_description};

use super::{Changed, action, changed, entries::tell, judged};
use crate::{
    console::Console,
    enter::AtDomain,
    form::Form,
    page::moment,
    parts::{
        form::{Faults, Field, tick},
        table::{Column, Table},
    },
    refusal::Refusal,
    shown::shown,
};

/// The days of a week, the first of which is 1.
const WEEKDAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// The fields of a new window as they are typed.
pub(super) struct Fields {
    /// The id that the window will have: a form that is sent twice makes one window.
    id: MaintenanceWindowId,
    name: String,
    starts_at: String,
    ends_at: String,
    recurrence: Recurrence,
    weekdays: Vec<u8>,
    timezone: String,
}

impl Fields {
    /// A form that nobody has filled in.
    pub(super) fn new() -> Self {
        Self {
            id: MaintenanceWindowId::generate(),
            name: String::new(),
            starts_at: String::new(),
            ends_at: String::new(),
            recurrence: Recurrence::None,
            weekdays: Vec::new(),
            timezone: "UTC".to_owned(),
        }
    }

    fn sent(form: &Form) -> Result<Self, Refusal> {
        // This is chosen from a list: no browser sends anything else.
        let weekdays: Result<Vec<u8>, _> = form.all("window_weekdays").map(str::parse).collect();
        let typed = |name: &str| form.one(name).trim().to_owned();
        Ok(Self {
            id: form.one("window_id").parse().map_err(|_| Refusal::NoForm)?,
            name: typed("window_name"),
            starts_at: typed("window_starts_at"),
            ends_at: typed("window_ends_at"),
            recurrence: form
                .one("window_recurrence")
                .parse()
                .map_err(|_| Refusal::NoForm)?,
            weekdays: weekdays.map_err(|_| Refusal::NoForm)?,
            timezone: typed("window_timezone"),
        })
    }

    /// The window that they ask for, or all that is wrong with it.
    fn window(&self) -> Result<MaintenanceWindow, Faults> {
        let mut faults = Faults::default();
        let times = [
            ("window_starts_at", &self.starts_at),
            ("window_ends_at", &self.ends_at),
        ];
        let [from, until] = times.map(|(field, typed)| {
            let read = instant(typed);
            if read.is_none() {
                faults.add(field, "Write the time in UTC as in 2027-01-31T02:00.");
            }
            read
        });
        // It could not be stored.
        if self.name.contains('\0') {
            faults.add("window_name", "A name without the character NUL.");
        }
        // The rest is judged all the same.
        let (starts_at, ends_at) = from.zip(until).unwrap_or((
            OffsetDateTime::UNIX_EPOCH,
            OffsetDateTime::UNIX_EPOCH + Duration::HOUR,
        ));
        let window = MaintenanceWindow {
            id: self.id,
            name: self.name.clone(),
            starts_at,
            ends_at,
            recurrence: self.recurrence,
            weekdays: self.weekdays.clone(),
            timezone: self.timezone.clone(),
        };
        let mut judge = Judge::default();
        window.check(&mut judge);
        if let Err(found) = judge.or(|| ()) {
            tell("window_", found, &mut faults);
        }
        if faults.is_empty() {
            Ok(window)
        } else {
            Err(faults)
        }
    }
}

/// A time as browsers send it, in UTC.
fn instant(typed: &str) -> Option<OffsetDateTime> {
    let format = format_description!("[year]-[month]-[day]T[hour]:[minute]");
    let read = PrimitiveDateTime::parse(typed, format).ok()?;
    (2000..=9999).contains(&read.year()).then(|| read.assume_utc())
}

/// The windows that there are; `None`: there is no monitor.
pub(super) async fn stored(
    console: &Console,
    here: &AtDomain,
) -> Result<Option<Vec<MaintenanceWindow>>, Refusal> {
    let monitor = console.parts.monitors.monitors.view(&here.access).await?;
    Ok(monitor.map(|monitor| monitor.settings.maintenance_windows))
}

/// Adds a window; gives the fields back with their faults where they have some.
pub(super) async fn add(
    console: &Console,
    here: &AtDomain,
    sent: &Form,
) -> Result<Result<(), (Fields, Faults)>, Refusal> {
    let fields = Fields::sent(sent)?;
    let window = match fields.window() {
        Ok(window) => window,
        Err(faults) => return Ok(Err((fields, faults))),
    };
    let details = json!({ "maintenance_window": window });
    let add = |windows: &mut Vec<MaintenanceWindow>| {
        if !windows.iter().any(|known| known.id == window.id) {
            windows.push(window.clone());
        }
    };
    match replace(console, here, details, &add).await? {
        Changed::Done => Ok(Ok(())),
        Changed::Faulty(faults) => Ok(Err((fields, faults))),
    }
}

/// Ends a window. One that is not there is at its end already.
pub(super) async fn end(console: &Console, here: &AtDomain, sent: &Form) -> Result<(), Refusal> {
    let id: MaintenanceWindowId = sent.one("window").parse().map_err(|_| Refusal::NoForm)?;
    let details = json!({ "ended_maintenance_window": id });
    let end = |windows: &mut Vec<MaintenanceWindow>| windows.retain(|known| known.id != id);
    match replace(console, here, details, &end).await? {
        Changed::Done => Ok(()),
        // Fewer windows have no faults.
        Changed::Faulty(_) => Err(Refusal::NoForm),
    }
}

/// Changes the windows of the monitor that there is.
async fn replace(
    console: &Console,
    here: &AtDomain,
    details: Value,
    change: &(dyn Fn(&mut Vec<MaintenanceWindow>) + Send + Sync),
) -> Result<Changed, Refusal> {
    let monitors = &console.parts.monitors.monitors;
    let (monitor, regions) = tokio::try_join!(monitors.view(&here.access), monitors.regions())?;
    if monitor.is_none() {
        return Err(Refusal::NoForm);
    }
    let hostname = &here.access.domain().hostname;
    let around = Surroundings {
        hostname,
        regions: &regions,
        policy: &console.parts.policy,
    };
    let settings = |present: Option<&MonitorSettings>| {
        let mut next = present
            .cloned()
            .unwrap_or_else(|| MonitorSettings::defaults(hostname, &regions));
        change(&mut next.maintenance_windows);
        let mut judge = Judge::default();
        next.check(&around, &mut judge);
        judge.or(|| next.normalised())
    };
    let noted = changed(console, here, Module::Uptime, details);
    let (by, now) = (here.user.session.user, console.parts.clock.now());
    judged(monitors.update(&noted, &settings, by, now).await)
}

pub(super) fn section(
    here: &AtDomain,
    windows: &[MaintenanceWindow],
    fields: &Fields,
    faults: &Faults,
) -> Markup {
    let table = Table {
        caption: "Maintenance windows",
        columns: &[
            Column::text("Name"),
            Column::text("Begins"),
            Column::text("Ends"),
            Column::text("Comes back").spare(),
            Column::text("Change"),
        ],
        rows: windows
            .iter()
            .map(|window| {
                vec![
                    html! { bdi { (shown(&window.name)) } },
                    moment(window.starts_at),
                    moment(window.ends_at),
                    html! { (again(window.recurrence)) },
                    ended(here, window),
                ]
            })
            .collect(),
    };
    let recurrences = Recurrence::ALL.iter().map(|kind| (kind.as_str(), again(*kind)));
    html! {
        section id="maintenance_windows" aria-labelledby="maintenance-head" {
            h2 id="maintenance-head" { "Maintenance windows" }
            p { "An outage within one is no outage: it counts against no percentage, and nobody is told." }
            (table.show(&html! { p { "There is none." } }))
            (faults.summary())
            form.card method="post" action=(action(here)) {
                (here.user.token_field())
                input type="hidden" name="do" value="maintenance";
                input type="hidden" name="window_id" value=(fields.id);
                (Field::new("window_name", "Name of the window", &fields.name).max(100).placeholder("Deployment").faults(faults).line())
                (Field::new("window_starts_at", "Begins, in UTC", &fields.starts_at).kind("datetime-local").faults(faults).line())
                (Field::new("window_ends_at", "Ends, in UTC", &fields.ends_at).kind("datetime-local").faults(faults).line())
                (Field::new("window_recurrence", "Comes back", fields.recurrence.as_str()).faults(faults).select(recurrences))
                fieldset id="window_weekdays" tabindex="-1" {
                    legend { "Days of a weekly window" }
                    p.hint { "None: the weekday that it begins on." }
                    @if let Some(fault) = faults.of("window_weekdays") { p.wrong { (fault) } }
                    @for (day, name) in (1_u8..).zip(WEEKDAYS) {
                        (tick(&format!("window-day-{day}"), "window_weekdays", &day.to_string(), &html! { (name) }, fields.weekdays.contains(&day)))
                    }
                }
                (Field::new("window_timezone", "Time zone that it comes back in", &fields.timezone).max(64).faults(faults)
                    .hint("Such as Europe/Berlin: it begins at the same local time in summer and winter.").line())
                div.actions { button type="submit" { "Add the window" } }
            }
        }
    }
}

fn again(recurrence: Recurrence) -> &'static str {
    match recurrence {
        Recurrence::None => "not at all",
        Recurrence::Daily => "every day",
        Recurrence::Weekly => "every week",
        Recurrence::Monthly => "every month",
    }
}

fn ended(here: &AtDomain, window: &MaintenanceWindow) -> Markup {
    html! {
        form method="post" action=(action(here)) {
            (here.user.token_field())
            input type="hidden" name="do" value="maintenance-end";
            input type="hidden" name="window" value=(window.id);
            div.actions {
                button.quiet type="submit" aria-label={ "Remove " (shown(&window.name)) } { "Remove" }
            }
        }
    }
}
