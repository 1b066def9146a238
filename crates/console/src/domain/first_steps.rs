//! The first steps of a domain, for those who take them: what is not done yet, and how it is done.

use maud::{Markup, html};
use pharos_domain::module::Module;

use super::{Named, add::CHANGERS, tabs::SETTINGS};
use crate::{console::Console, enter::AtDomain, nav::domain_path, parts::copy::copied, refusal::Refusal};

/// The steps that are left; nothing where there are none, or the reader takes none.
pub(super) async fn steps(console: &Console, here: &AtDomain, domain: &Named) -> Result<Markup, Refusal> {
    let lacks = |module| here.has(module) && !domain.active.contains(&module);
    let watch = lacks(Module::Uptime);
    let measure = lacks(Module::Analytics) || lacks(Module::Rum);
    if here.role() < CHANGERS || !(watch || measure || !domain.is_verified) {
        return Ok(html! {});
    }
    let settings = domain_path(here.id(), SETTINGS);
    Ok(html! {
        section.card aria-labelledby="next-head" {
            h2 id="next-head" { "What to do next" }
            ol.steps {
                @if watch {
                    li {
                        p { strong { "Have it checked." } " Pharos asks for the site again and again, and tells you when it is down." }
                        p { a href={ (settings) "#uptime" } { "Set monitoring up" } }
                    }
                }
                @if measure {
                    li {
                        p { strong { "Measure its visitors." } " Switch it on, and put this tag into the head of every page." }
                        (script_tag(console, here).await?)
                        p { a href={ (settings) "#collection" } { "Switch it on" } }
                    }
                }
                @if !domain.is_verified {
                    li {
                        p { strong { "Show that it is yours." } " By a record of DNS, a file or a tag. Then status pages may show it, and others may get its reports." }
                        p { a href={ (settings) "#ownership" } { "Verify the domain" } }
                    }
                }
            }
        }
    })
}

/// The tag by which pages of the site send what they measure.
pub(super) async fn script_tag(console: &Console, here: &AtDomain) -> Result<Markup, Refusal> {
    let key = console.parts.site_keys.of(&here.access).await?;
    Ok(copied(
        "script-tag",
        "Script tag",
        &key.script_tag(&console.parts.base_url),
    ))
}
