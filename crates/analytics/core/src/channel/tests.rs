use pharos_domain::collect::event::{ClickId, Origin};

use super::*;

/// Referrer, source, medium, campaign.
fn origin(referrer: &str, source: &str, medium: &str, campaign: &str) -> Origin {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Origin {
        referrer_host: text(referrer),
        source: text(source),
        medium: text(medium),
        campaign: text(campaign),
        ..Origin::default()
    }
}

/// By the rules of GA4's published table, each row decided by hand.
#[test]
fn channels_are_those_of_the_table() {
    use Channel::*;
    for (referrer, source, medium, campaign, channel, name) in [
        ("", "", "", "", Direct, "direct"),
        ("google.com", "", "", "", OrganicSearch, "google"),
        ("www.google.co.uk", "", "", "", OrganicSearch, "google"),
        ("m.facebook.com", "", "", "", OrganicSocial, "facebook"),
        ("youtube.com", "", "", "", OrganicVideo, "youtube"),
        ("chatgpt.com", "", "", "", AiAssistants, "chatgpt"),
        ("", "chatgpt.com", "", "", AiAssistants, "chatgpt"),
        ("mail.google.com", "", "", "", Email, "gmail"),
        ("amazon.de", "", "", "", OrganicShopping, "amazon"),
        ("www.blog.example", "", "", "", Referral, "blog.example"),
        ("", "Google", "CPC", "", PaidSearch, "google"),
        ("", "google", "cpc", "spring shopping", PaidShopping, "google"),
        (
            "",
            "google",
            "cpc",
            "my cross-network ads",
            CrossNetwork,
            "google",
        ),
        ("", "fb", "paid_social", "", PaidSocial, "facebook"),
        ("", "youtube", "cpv", "", PaidVideo, "youtube"),
        ("", "news.example", "cpm", "", Display, "news.example"),
        ("", "news.example", "banner", "", Display, "news.example"),
        ("", "partner", "ppc", "", PaidOther, "partner"),
        ("", "partner", "organic", "e-shop", OrganicShopping, "partner"),
        ("", "partner", "", "bishop", Unassigned, "partner"),
        ("", "partner", "social", "", OrganicSocial, "partner"),
        ("", "partner", "video ads", "", OrganicVideo, "partner"),
        ("", "partner", "organic", "", OrganicSearch, "partner"),
        ("", "newsletter", "", "", Email, "newsletter"),
        ("", "mailer", "e-mail", "", Email, "mailer"),
        ("", "partner", "affiliate", "", Affiliates, "partner"),
        ("", "radio", "audio", "", Audio, "radio"),
        ("", "sms", "", "", Sms, "sms"),
        ("", "app", "web push", "", MobilePushNotifications, "app"),
        ("", "partner", "referral", "", Referral, "partner"),
        ("", "partner", "nonsense", "", Unassigned, "partner"),
        ("", "", "nonsense", "", Unassigned, "direct"),
        // Tags count before the referrer.
        ("google.com", "partner", "affiliate", "", Affiliates, "partner"),
    ] {
        let found = attribute(&origin(referrer, source, medium, campaign));
        let told = (referrer, source, medium, campaign);
        assert_eq!(
            (found.channel, found.source.as_str()),
            (channel, name),
            "{told:?}"
        );
    }
}

#[test]
fn a_click_id_makes_a_search_of_its_own_engine_paid() {
    let clicked = |referrer: &str, click_id| {
        let origin = Origin {
            click_id: Some(click_id),
            ..origin(referrer, "", "", "")
        };
        attribute(&origin)
    };
    assert_eq!(
        clicked("google.com", ClickId::Google).channel,
        Channel::PaidSearch
    );
    assert_eq!(clicked("", ClickId::Google).channel, Channel::PaidSearch);
    assert_eq!(clicked("bing.com", ClickId::Bing).channel, Channel::PaidSearch);
    assert_eq!(
        clicked("bing.com", ClickId::Google).channel,
        Channel::OrganicSearch
    );
    assert_eq!(clicked("", ClickId::Facebook).source, "facebook");
    assert_eq!(clicked("", ClickId::Facebook).channel, Channel::OrganicSocial);
}
