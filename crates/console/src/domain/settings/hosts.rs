//! Further hosts of a domain, whose robots.txt and sitemaps are watched too.

use maud::{Markup, html};
use pharos_crawl::hosts::{MOST_HOSTS, origin};
use pharos_domain::{hostname::Hostname, module::Module, settings::SettingFault};
use serde_json::json;

use super::{Changed, action, changed, judged};
use crate::{
    console::Console,
    enter::AtDomain,
    form::Form,
    parts::form::{Faults, Field, SEEN, as_seen, state},
    refusal::Refusal,
};

/// How many lines that can't be read are told of at once.
const MOST_FAULTS: usize = 10;

/// The form's field as it is typed.
pub(super) struct Fields {
    /// The state of the list that the form was filled from.
    seen: String,
    /// A host a line.
    written: String,
}

/// The hosts that are stored.
pub(super) async fn stored(console: &Console, here: &AtDomain) -> Result<Fields, Refusal> {
    let hosts = console.parts.crawl.hosts.of(here.id()).await?;
    let origins: Vec<String> = hosts.into_iter().map(|host| host.origin).collect();
    Ok(Fields {
        seen: state_of(&origins),
        written: origins.join("\n"),
    })
}

fn state_of(origins: &[String]) -> String {
    state(origins.iter().map(String::as_str))
}

/// Changes the list; gives the field back with its faults where it has some.
pub(super) async fn submit(
    console: &Console,
    here: &AtDomain,
    sent: &Form,
) -> Result<Result<(), (Fields, Faults)>, Refusal> {
    let fields = Fields {
        seen: sent.one(SEEN).to_owned(),
        written: sent.one("hosts").to_owned(),
    };
    let origins = match origins(&fields.written, &here.access.domain().hostname) {
        Ok(origins) => origins,
        Err(faults) => return Ok(Err((fields, faults))),
    };
    let change = |present: &[String]| -> Result<Vec<String>, Vec<SettingFault>> {
        as_seen(&fields.seen, &state_of(present))?;
        Ok(origins.clone())
    };
    let noted = changed(console, here, Module::Robots, json!({ "hosts": origins }));
    match judged(console.parts.crawl.hosts.change(&noted, &change).await)? {
        Changed::Done => Ok(Ok(())),
        Changed::Faulty(faults) => Ok(Err((fields, faults))),
    }
}

/// The hosts that a text names, one a line, each once. The lines are read as far as there is room for more hosts or faults.
fn origins(written: &str, hostname: &Hostname) -> Result<Vec<String>, Faults> {
    let mut faults = Faults::default();
    let mut origins: Vec<String> = Vec::new();
    for line in written.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match origin(line, hostname) {
            Ok(origin) if origins.contains(&origin) => {}
            Ok(_) if origins.len() == MOST_HOSTS => {
                faults.add("hosts", format!("A domain lists {MOST_HOSTS} hosts at most."));
                break;
            }
            Ok(origin) => origins.push(origin),
            Err(why) => faults.add("hosts", why),
        }
        if faults.all().count() == MOST_FAULTS {
            break;
        }
    }
    if faults.is_empty() {
        Ok(origins)
    } else {
        Err(faults)
    }
}

pub(super) fn section(here: &AtDomain, fields: &Fields, faults: &Faults) -> Markup {
    html! {
        section.card id="further-hosts" aria-labelledby="further-hosts-head" {
            h2 id="further-hosts-head" { "Further hosts" }
            p.note { "A robots.txt speaks for one scheme, host and port. Those of the hosts that stand here are watched for sitemaps beside that of the site." }
            (faults.summary())
            form method="post" action=(action(here)) {
                (here.user.token_field())
                input type="hidden" name="do" value="hosts";
                input type="hidden" name=(SEEN) value=(fields.seen);
                (Field::new("hosts", "Hosts", &fields.written).optional().faults(faults)
                    .hint("One a line, on the domain or below it, such as www.shop.example or http://shop.example:8080.").area(4))
                div.actions { button type="submit" { "Save hosts" } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_far_as_there_is_room() {
        let hostname: Hostname = "shop.example".parse().unwrap();
        let told = |written: &str| {
            let origins = origins(written, &hostname);
            origins.map_err(|faults| faults.all().map(str::to_owned).collect::<Vec<_>>())
        };
        assert_eq!(
            told(" www.shop.example\n\nhttps://www.shop.example\n").map(|origins| origins.len()),
            Ok(1)
        );
        let hosts = |count: usize| {
            (0..count)
                .map(|host| format!("h{host}.shop.example\n"))
                .collect::<String>()
        };
        assert_eq!(
            told(&hosts(MOST_HOSTS)).map(|origins| origins.len()),
            Ok(MOST_HOSTS)
        );
        let most = format!("A domain lists {MOST_HOSTS} hosts at most.");
        assert_eq!(
            told(&format!("{}elsewhere.example\n", hosts(1_000))),
            Err(vec![most])
        );
        let elsewhere = "elsewhere.example\n".repeat(1_000);
        assert_eq!(told(&elsewhere).map_err(|faults| faults.len()), Err(MOST_FAULTS));
    }
}
