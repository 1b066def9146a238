//! Tags and click ids in the query of an address.

use pharos_domain::collect::event::{ClickId, Origin};

use crate::beacon::clean;

/// How many characters of a tag count.
const MOST_OF_TAG: usize = 200;

/// A name of the query that says where a visit came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Source,
    /// `source` and `ref`, which count where there is no `utm_source`, the first of them.
    PlainSource,
    Medium,
    Campaign,
    Term,
    Content,
    /// Another tag that begins with `utm_`: it is taken out of the address, and not kept.
    Unkept,
    ClickId(ClickId),
}

impl Tag {
    /// The tag of that name, whatever its case.
    pub(super) fn of(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        Some(match name.as_str() {
            "utm_source" => Self::Source,
            "source" | "ref" => Self::PlainSource,
            "utm_medium" => Self::Medium,
            "utm_campaign" => Self::Campaign,
            "utm_term" => Self::Term,
            "utm_content" => Self::Content,
            "gclid" | "gbraid" | "wbraid" => Self::ClickId(ClickId::Google),
            "msclkid" => Self::ClickId(ClickId::Bing),
            "fbclid" => Self::ClickId(ClickId::Facebook),
            "dclid" | "epik" | "li_fat_id" | "rdt_cid" | "sccid" | "ttclid" | "twclid" | "yclid" => {
                Self::ClickId(ClickId::Other)
            }
            _ if name.starts_with("utm_") => Self::Unkept,
            _ => return None,
        })
    }

    /// Records its value.
    pub(super) fn note(self, origin: &mut Origin, value: &str) {
        let Some(value) = clean(value, MOST_OF_TAG) else {
            return;
        };
        match self {
            Self::Source => origin.source = Some(value),
            Self::PlainSource => {
                origin.source.get_or_insert(value);
            }
            Self::Medium => origin.medium = Some(value),
            Self::Campaign => origin.campaign = Some(value),
            Self::Term => origin.term = Some(value),
            Self::Content => origin.content = Some(value),
            Self::Unkept => {}
            Self::ClickId(advertiser) => {
                origin.click_id.get_or_insert(advertiser);
            }
        }
    }
}
