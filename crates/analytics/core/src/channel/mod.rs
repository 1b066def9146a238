//! Which channel and source a session came by: GA4's default channel groups, in their order; the first that fits counts.

mod list;

use pharos_domain::{
    collect::event::{ClickId, Origin},
    wire_enum,
};

use self::list::{Kind, Listed};

wire_enum! {
    /// A channel. In the order in which they are tried.
    Channel {
        /// Campaigns that an advertiser runs across networks.
        CrossNetwork = "cross_network",
        /// Paid, by a shop or a campaign of shopping.
        PaidShopping = "paid_shopping",
        /// Paid, by a search engine.
        PaidSearch = "paid_search",
        /// Paid, by a social network.
        PaidSocial = "paid_social",
        /// Paid, by a site of videos.
        PaidVideo = "paid_video",
        /// Banners and the like.
        Display = "display",
        /// Paid, by whatever else.
        PaidOther = "paid_other",
        /// From a shop or a campaign of shopping.
        OrganicShopping = "organic_shopping",
        /// From a social network.
        OrganicSocial = "organic_social",
        /// From a site of videos.
        OrganicVideo = "organic_video",
        /// From an assistant.
        AiAssistants = "ai_assistants",
        /// From a search engine.
        OrganicSearch = "organic_search",
        /// By mail.
        Email = "email",
        /// By a partner.
        Affiliates = "affiliates",
        /// By advertising in sound.
        Audio = "audio",
        /// By text message.
        Sms = "sms",
        /// By a notification of an app or browser.
        MobilePushNotifications = "mobile_push_notifications",
        /// By a link on another site.
        Referral = "referral",
        /// Without a trace of where from.
        Direct = "direct",
        /// With tags that fit nothing else.
        Unassigned = "unassigned",
    }
}

/// The name of the source of a session that left no trace of where it came from.
pub const DIRECT: &str = "direct";

/// Where a session came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribution {
    /// The channel that the session came by.
    pub channel: Channel,
    /// The source: the name of the list's entry, what the tags say, the referrer's host, or [`DIRECT`].
    pub source: String,
}

/// The version of the list of sources and rules.
#[must_use]
pub fn version() -> &'static str {
    list::version()
}

/// Where a session came from whose first page, or event, came from `origin`.
#[must_use]
pub fn attribute(origin: &Origin) -> Attribution {
    let tag = origin.source.as_deref().map(normal).filter(|tag| !tag.is_empty());
    let listed = match (&tag, &origin.referrer_host) {
        (Some(tag), _) => list::of_tag(tag),
        (None, Some(host)) => list::of_host(host),
        (None, None) => None,
    };
    let listed = listed.or_else(|| tag.is_none().then(|| of_click_id(origin.click_id)).flatten());
    let source = match (listed, tag, &origin.referrer_host) {
        (Some(listed), _, _) => listed.name.to_owned(),
        (None, Some(tag), _) => tag,
        (None, None, Some(host)) => host.strip_prefix("www.").unwrap_or(host).to_owned(),
        (None, None, None) => DIRECT.to_owned(),
    };
    Attribution {
        channel: channel(origin, listed, &source),
        source,
    }
}

/// Who sent a visitor whose address has nothing but the mark of an advertiser.
fn of_click_id(click_id: Option<ClickId>) -> Option<Listed> {
    match click_id? {
        ClickId::Google => list::of_tag("google"),
        ClickId::Bing => list::of_tag("bing"),
        ClickId::Facebook => list::of_tag("facebook"),
        ClickId::Other => None,
    }
}

fn channel(origin: &Origin, listed: Option<Listed>, source: &str) -> Channel {
    let medium = origin.medium.as_deref().map(normal).unwrap_or_default();
    let campaign = origin.campaign.as_deref().map(normal).unwrap_or_default();
    let kind = listed.map(|listed| listed.kind);
    let is = |of: Kind| kind == Some(of);
    let is_paid = is_paid(&medium);
    let is_shopping = is(Kind::Shopping) || is_shopping(&campaign);
    let any = |texts: &[&str]| texts.contains(&medium.as_str());
    let is_paid_click = matches!(
        (origin.click_id, source),
        (Some(ClickId::Google), "google") | (Some(ClickId::Bing), "bing")
    );
    if campaign.contains("cross-network") {
        Channel::CrossNetwork
    } else if is_shopping && is_paid {
        Channel::PaidShopping
    } else if is(Kind::Search) && (is_paid || is_paid_click) {
        Channel::PaidSearch
    } else if is(Kind::Social) && is_paid {
        Channel::PaidSocial
    } else if is(Kind::Video) && is_paid {
        Channel::PaidVideo
    } else if any(&["display", "banner", "expandable", "interstitial", "cpm"]) {
        Channel::Display
    } else if is_paid {
        Channel::PaidOther
    } else if is_shopping {
        Channel::OrganicShopping
    } else if is(Kind::Social) || any(SOCIAL_MEDIUMS) {
        Channel::OrganicSocial
    } else if is(Kind::Video) || medium.contains("video") {
        Channel::OrganicVideo
    } else if is(Kind::Ai) {
        Channel::AiAssistants
    } else if is(Kind::Search) || medium == "organic" {
        Channel::OrganicSearch
    } else if is(Kind::Email) || is_email(&medium) || is_email(source) {
        Channel::Email
    } else if medium == "affiliate" {
        Channel::Affiliates
    } else if medium == "audio" {
        Channel::Audio
    } else if medium == "sms" || source == "sms" {
        Channel::Sms
    } else if medium.ends_with("push") || medium.contains("mobile") || medium.contains("notification") {
        Channel::MobilePushNotifications
    } else if any(&["referral", "app", "link"]) || is_by_link(origin) {
        Channel::Referral
    } else if source == DIRECT && any(&["", "(none)", "(not set)"]) {
        Channel::Direct
    } else {
        Channel::Unassigned
    }
}

const SOCIAL_MEDIUMS: &[&str] = &[
    "social",
    "social-network",
    "social-media",
    "sm",
    "social network",
    "social media",
];

/// Whether a site that tags nothing led here.
fn is_by_link(origin: &Origin) -> bool {
    origin.referrer_host.is_some() && origin.medium.is_none() && origin.source.is_none()
}

/// cp…, as in cpc, cpm and cpa, ppc, retargeting, paid….
fn is_paid(medium: &str) -> bool {
    medium.starts_with("cp") || medium.starts_with("paid") || matches!(medium, "ppc" | "retargeting")
}

/// GA4: `^(.*(([^a-df-z]|^)shop|shopping).*)$` of the campaign's name.
fn is_shopping(campaign: &str) -> bool {
    campaign.contains("shopping")
        || campaign.match_indices("shop").any(|(at, _)| {
            let before = campaign.get(..at).and_then(|text| text.chars().next_back());
            before.is_none_or(|before| !before.is_ascii_lowercase() || before == 'e')
        })
}

fn is_email(tag: &str) -> bool {
    matches!(tag, "email" | "e-mail" | "e_mail" | "e mail" | "newsletter")
}

fn normal(tag: &str) -> String {
    tag.trim().to_lowercase()
}

#[cfg(test)]
mod tests;
