//! Tags and click ids in the query of an address: they say where a visit came from, and are no part of the page.

use super::event::ClickId;

/// A name of the query that says where a visit came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// `utm_source`.
    Source,
    /// `source` and `ref`, which count where there is no `utm_source`, the first of them.
    PlainSource,
    /// `utm_medium`.
    Medium,
    /// `utm_campaign`.
    Campaign,
    /// `utm_term`.
    Term,
    /// `utm_content`.
    Content,
    /// Another tag that begins with `utm_`: it is taken out of the address, and not kept.
    Unkept,
    /// The click id of an advertiser.
    ClickId(ClickId),
}

impl Tag {
    /// The tag of that name, whatever its case.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
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
}
