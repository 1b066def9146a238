//! The crawlers that are known by name: who runs them, what for, and whether they keep to robots.txt.
//!
//! Taken from what their operators publish at the addresses named, as of November 2026. `honours` is what an operator
//! states of its crawler; [`Honours::Partly`] where it names exceptions, such as fetches that a user asks for. Whose groups a
//! crawler obeys where it has none of its own (`falls_back_to`, `obeys_any`) is said there, too; Yandex says it at
//! <https://yandex.com/support/webmaster/en/robot-workings/user-agent>.

use std::collections::HashMap;

use super::{
    access::MatchedVia,
    file::{RobotsFile, RuleKind},
    pattern::Target,
};

names! {
    /// The purpose for which a crawler fetches pages.
    Purpose as "CrawlerPurpose" {
        /// The results of a search engine.
        Search = "search",
        /// Advertisements.
        Ads = "ads",
        /// The training of models.
        AiTraining = "ai_training",
        /// The answers of a search that a model writes.
        AiSearch = "ai_search",
        /// Requests of people who ask an assistant.
        AiAgent = "ai_agent",
        /// Tools for those who work on search results.
        SeoTool = "seo_tool",
        /// Previews of links in posts and messages.
        SocialPreview = "social_preview",
        /// Archives.
        Archiver = "archiver",
        /// Monitoring.
        Monitoring = "monitoring",
        /// Something else.
        Other = "other",
    }
}

impl Purpose {
    /// Whether a model reads what it fetches.
    #[must_use]
    pub const fn is_ai(self) -> bool {
        matches!(self, Self::AiTraining | Self::AiSearch | Self::AiAgent)
    }
}

names! {
    /// Whether a crawler keeps to robots.txt.
    Honours as "CrawlerHonoursRobots" {
        /// Its operator says so.
        Yes = "yes",
        /// Its operator names exceptions.
        Partly = "partly",
        /// It does not.
        No = "no",
        /// Its operator says nothing of it.
        Unknown = "unknown",
    }
}

/// A crawler that is known by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crawler {
    /// Its product token, as its operator spells it.
    pub token: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// Who runs it.
    pub operator: &'static str,
    /// The purpose for which it fetches pages.
    pub purpose: Purpose,
    /// Whether it keeps to robots.txt.
    pub honours: Honours,
    /// Where its operator tells of it.
    pub documentation_url: Option<&'static str>,
    /// The crawler whose groups it obeys where no group names it.
    pub falls_back_to: Option<&'static str>,
    /// Whether it obeys the groups of all crawlers where none is its own.
    pub obeys_any: bool,
    /// Whether the impact of a change is high when it loses or gains the root of a site: the large search engines.
    pub is_major: bool,
}

const GOOGLE: &str = "https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers";
const GOOGLE_SPECIAL: &str =
    "https://developers.google.com/search/docs/crawling-indexing/google-special-case-crawlers";
const GOOGLE_FETCHERS: &str =
    "https://developers.google.com/search/docs/crawling-indexing/google-user-triggered-fetchers";
const OPENAI: &str = "https://platform.openai.com/docs/bots";
const ANTHROPIC: &str = "https://support.anthropic.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler";
const META: &str = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers";
const PERPLEXITY: &str = "https://docs.perplexity.ai/guides/bots";
const APPLE: &str = "https://support.apple.com/en-us/119829";
const AMAZON: &str = "https://developer.amazon.com/amazonbot";

const fn crawler(
    token: &'static str,
    name: &'static str,
    operator: &'static str,
    purpose: Purpose,
    honours: Honours,
    documentation_url: &'static str,
) -> Crawler {
    Crawler {
        token,
        name,
        operator,
        purpose,
        honours,
        documentation_url: if documentation_url.is_empty() {
            None
        } else {
            Some(documentation_url)
        },
        falls_back_to: None,
        obeys_any: true,
        is_major: false,
    }
}

/// One that obeys the groups of another where it has none of its own.
const fn following(followed: &'static str, crawler: Crawler) -> Crawler {
    Crawler {
        falls_back_to: Some(followed),
        ..crawler
    }
}

/// One that obeys a group only if it names it.
const fn by_name_alone(crawler: Crawler) -> Crawler {
    Crawler {
        obeys_any: false,
        ..crawler
    }
}

const fn major(crawler: Crawler) -> Crawler {
    Crawler {
        is_major: true,
        ..crawler
    }
}

use Honours::{No, Partly, Unknown, Yes};
use Purpose::{
    Ads, AiAgent, AiSearch, AiTraining, Archiver, Monitoring, Other, Search, SeoTool, SocialPreview,
};

/// All that are known, search engines first.
#[rustfmt::skip]
pub const CRAWLERS: &[Crawler] = &[
    major(crawler("Googlebot", "Googlebot", "Google", Search, Yes, GOOGLE)),
    following("Googlebot", crawler("Googlebot-Image", "Googlebot Image", "Google", Search, Yes, GOOGLE)),
    following("Googlebot", crawler("Googlebot-News", "Googlebot News", "Google", Search, Yes, GOOGLE)),
    following("Googlebot", crawler("Googlebot-Video", "Googlebot Video", "Google", Search, Yes, GOOGLE)),
    crawler("Storebot-Google", "Google StoreBot", "Google", Search, Yes, GOOGLE),
    following("Googlebot", crawler("Google-InspectionTool", "Google inspection tools", "Google", Search, Yes, GOOGLE)),
    crawler("GoogleOther", "GoogleOther", "Google", Other, Yes, GOOGLE),
    following("GoogleOther", crawler("GoogleOther-Image", "GoogleOther Image", "Google", Other, Yes, GOOGLE)),
    following("GoogleOther", crawler("GoogleOther-Video", "GoogleOther Video", "Google", Other, Yes, GOOGLE)),
    by_name_alone(crawler("AdsBot-Google", "AdsBot", "Google", Ads, Yes, GOOGLE_SPECIAL)),
    by_name_alone(crawler("AdsBot-Google-Mobile", "AdsBot Mobile", "Google", Ads, Yes, GOOGLE_SPECIAL)),
    by_name_alone(crawler("Mediapartners-Google", "Google ad products", "Google", Ads, Yes, GOOGLE_SPECIAL)),
    by_name_alone(crawler("APIs-Google", "APIs-Google", "Google", Other, Yes, GOOGLE_SPECIAL)),
    crawler("Google-Safety", "Google-Safety", "Google", Other, No, GOOGLE_SPECIAL),
    crawler("FeedFetcher-Google", "Feedfetcher", "Google", Other, No, GOOGLE_FETCHERS),
    major(crawler("Bingbot", "Bingbot", "Microsoft", Search, Yes, "https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0")),
    crawler("AdIdxBot", "AdIdxBot", "Microsoft", Ads, Yes, "https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0"),
    following("Googlebot", major(crawler("Applebot", "Applebot", "Apple", Search, Yes, APPLE))),
    major(crawler("DuckDuckBot", "DuckDuckBot", "DuckDuckGo", Search, Yes, "https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot")),
    following("Yandex", major(crawler("YandexBot", "YandexBot", "Yandex", Search, Yes, "https://yandex.com/support/webmaster/robot-workings/check-yandex-robots.html"))),
    major(crawler("Baiduspider", "Baiduspider", "Baidu", Search, Yes, "https://www.baidu.com/search/robots_english.html")),
    crawler("Yeti", "Yeti", "Naver", Search, Yes, "https://searchadvisor.naver.com/guide/seo-basic-robots"),
    crawler("SeznamBot", "SeznamBot", "Seznam", Search, Yes, "https://o-seznam.cz/napoveda/vyhledavani/en/seznambot-crawler/"),
    crawler("Qwantbot", "Qwantbot", "Qwant", Search, Yes, "https://help.qwant.com/bot/"),
    crawler("MojeekBot", "MojeekBot", "Mojeek", Search, Yes, "https://www.mojeek.com/bot.html"),
    crawler("PetalBot", "PetalBot", "Huawei", Search, Yes, "https://webmaster.petalsearch.com/site/petalbot"),

    crawler("Google-Extended", "Google-Extended", "Google", AiTraining, Yes, GOOGLE),
    crawler("Google-CloudVertexBot", "Google-CloudVertexBot", "Google", AiSearch, Yes, GOOGLE),
    crawler("Google-GeminiNotebook", "Gemini Notebook", "Google", AiAgent, No, GOOGLE_FETCHERS),
    crawler("GPTBot", "GPTBot", "OpenAI", AiTraining, Yes, OPENAI),
    crawler("OAI-SearchBot", "OAI-SearchBot", "OpenAI", AiSearch, Yes, OPENAI),
    crawler("ChatGPT-User", "ChatGPT-User", "OpenAI", AiAgent, Partly, OPENAI),
    crawler("ClaudeBot", "ClaudeBot", "Anthropic", AiTraining, Yes, ANTHROPIC),
    crawler("Claude-User", "Claude-User", "Anthropic", AiAgent, Yes, ANTHROPIC),
    crawler("Claude-SearchBot", "Claude-SearchBot", "Anthropic", AiSearch, Yes, ANTHROPIC),
    crawler("PerplexityBot", "PerplexityBot", "Perplexity", AiSearch, Yes, PERPLEXITY),
    crawler("Perplexity-User", "Perplexity-User", "Perplexity", AiAgent, No, PERPLEXITY),
    crawler("Applebot-Extended", "Applebot-Extended", "Apple", AiTraining, Yes, APPLE),
    crawler("Amazonbot", "Amazonbot", "Amazon", AiTraining, Yes, AMAZON),
    crawler("Amzn-SearchBot", "Amzn-SearchBot", "Amazon", AiSearch, Yes, AMAZON),
    crawler("Amzn-User", "Amzn-User", "Amazon", AiAgent, Yes, AMAZON),
    crawler("amazon-kendra", "Amazon Kendra", "Amazon", AiSearch, Yes, "https://docs.aws.amazon.com/kendra/latest/dg/data-source-web-crawler.html"),
    crawler("amazon-QBusiness", "Amazon Q Business", "Amazon", AiSearch, Yes, "https://docs.aws.amazon.com/amazonq/latest/business-use-dg/stop-web-crawler.html"),
    crawler("bedrockbot", "Amazon Bedrock", "Amazon", AiSearch, Yes, "https://docs.aws.amazon.com/bedrock/latest/userguide/webcrawl-data-source-connector.html"),
    crawler("meta-externalagent", "Meta-ExternalAgent", "Meta", AiTraining, Yes, META),
    crawler("meta-externalfetcher", "Meta-ExternalFetcher", "Meta", AiAgent, Partly, META),
    crawler("meta-webindexer", "Meta-WebIndexer", "Meta", AiSearch, Yes, META),
    crawler("FacebookBot", "FacebookBot", "Meta", AiTraining, Yes, "https://developers.facebook.com/docs/sharing/bot/"),
    crawler("CCBot", "CCBot", "Common Crawl", AiTraining, Yes, "https://commoncrawl.org/ccbot"),
    crawler("Bytespider", "Bytespider", "ByteDance", AiTraining, Unknown, ""),
    crawler("cohere-ai", "cohere-ai", "Cohere", AiAgent, Unknown, ""),
    crawler("cohere-training-data-crawler", "Cohere training data", "Cohere", AiTraining, Unknown, ""),
    crawler("Diffbot", "Diffbot", "Diffbot", AiTraining, Partly, "https://docs.diffbot.com/docs/why-is-my-site-being-crawled-by-diffbot"),
    crawler("DuckAssistBot", "DuckAssistBot", "DuckDuckGo", AiSearch, Yes, "https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot"),
    crawler("MistralAI-User", "MistralAI-User", "Mistral AI", AiAgent, Yes, "https://docs.mistral.ai/robots"),
    crawler("YouBot", "YouBot", "You.com", AiSearch, Yes, "https://about.you.com/youbot/"),
    crawler("Timpibot", "Timpibot", "Timpi", AiTraining, Unknown, ""),
    crawler("omgili", "Omgili", "Webz.io", AiTraining, Yes, "https://webz.io/bot.html"),
    crawler("Webzio-Extended", "Webzio-Extended", "Webz.io", AiTraining, Yes, "https://webz.io/bot.html"),
    crawler("ImagesiftBot", "ImageSiftBot", "Hive", AiTraining, Yes, "https://imagesift.com/about"),
    crawler("AI2Bot", "AI2Bot", "Allen Institute for AI", AiTraining, Yes, "https://allenai.org/crawler"),
    crawler("aiHitBot", "aiHitBot", "aiHit", AiTraining, Yes, "https://www.aihitdata.com/about"),
    crawler("AIWebIndex", "AIWebIndex", "Lyrenth", AiSearch, Yes, "https://lyrenth.com/crawler-policy"),
    crawler("atlassian-bot", "Atlassian Rovo", "Atlassian", AiSearch, Yes, "https://support.atlassian.com/organization-administration/docs/connect-custom-website-to-rovo/"),
    crawler("Cloudflare-AutoRAG", "Cloudflare AI Search", "Cloudflare", AiSearch, Yes, "https://developers.cloudflare.com/ai-search/configuration/data-source/website/"),
    crawler("Cotoyogi", "Cotoyogi", "ROIS", AiTraining, Yes, "https://ds.rois.ac.jp/en_center8/en_crawler/"),
    crawler("ICC-Crawler", "ICC-Crawler", "NICT", AiTraining, Yes, "https://ucri.nict.go.jp/en/icccrawler.html"),
    crawler("KlaviyoAIBot", "KlaviyoAIBot", "Klaviyo", AiAgent, Yes, "https://help.klaviyo.com/hc/en-us/articles/40496146232219"),
    crawler("LAIONDownloader", "LAIONDownloader", "LAION", AiTraining, Unknown, ""),
    crawler("PanguBot", "PanguBot", "Huawei", AiTraining, Unknown, ""),
    crawler("Panscient", "Panscient", "Panscient", AiTraining, Yes, "https://panscient.com/faq.htm"),
    crawler("SBIntuitionsBot", "SBIntuitionsBot", "SB Intuitions", AiTraining, Yes, "https://www.sbintuitions.co.jp/en/bot/"),
    crawler("ShapBot", "ShapBot", "Parallel", AiSearch, Yes, "https://docs.parallel.ai/resources/crawler"),
    crawler("TerraCotta", "TerraCotta", "Ceramic AI", AiSearch, Yes, "https://github.com/CeramicTeam/CeramicTerracotta"),
    crawler("VelenPublicWebCrawler", "Velen", "Velen", AiTraining, Unknown, ""),
    following("Yandex", crawler("YandexAdditionalBot", "Yandex AI", "Yandex", AiSearch, Yes, "https://yandex.com/support/webmaster/en/yandex-ai")),

    crawler("FacebookExternalHit", "Facebook link previews", "Meta", SocialPreview, Partly, META),
    crawler("Twitterbot", "X link previews", "X", SocialPreview, Yes, "https://developer.x.com/en/docs/x-for-websites/cards/guides/getting-started"),
    crawler("LinkedInBot", "LinkedIn link previews", "LinkedIn", SocialPreview, Yes, "https://www.linkedin.com/robots.txt"),
    crawler("Pinterestbot", "Pinterestbot", "Pinterest", SocialPreview, Yes, "https://help.pinterest.com/en/business/article/pinterestbot"),
    crawler("Slackbot", "Slack link previews", "Slack", SocialPreview, Partly, "https://api.slack.com/robots"),

    crawler("AhrefsBot", "AhrefsBot", "Ahrefs", SeoTool, Yes, "https://ahrefs.com/robot"),
    crawler("SemrushBot", "SemrushBot", "Semrush", SeoTool, Yes, "https://www.semrush.com/bot/"),
    crawler("MJ12bot", "MJ12bot", "Majestic", SeoTool, Yes, "https://mj12bot.com/"),
    crawler("DotBot", "DotBot", "Moz", SeoTool, Yes, "https://moz.com/help/moz-procedures/crawlers/dotbot"),
    crawler("rogerbot", "Rogerbot", "Moz", SeoTool, Yes, "https://moz.com/help/moz-procedures/crawlers/rogerbot"),
    crawler("DataForSeoBot", "DataForSeoBot", "DataForSEO", SeoTool, Yes, "https://dataforseo.com/dataforseo-bot"),
    crawler("archive.org_bot", "Internet Archive", "Internet Archive", Archiver, Partly, "https://archive.org/details/archive.org_bot"),
    crawler("UptimeRobot", "UptimeRobot", "UptimeRobot", Monitoring, No, "https://uptimerobot.com/help/locations/"),
];

/// The one that groups name by this product token, in lower case.
pub(super) fn named(token: &str) -> Option<&'static Crawler> {
    CRAWLERS
        .iter()
        .find(|crawler| crawler.token.eq_ignore_ascii_case(token))
}

/// Whether a file lets a crawler fetch one path, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrawlerAccess {
    /// The crawler that is judged.
    pub crawler: &'static Crawler,
    /// The index in the file of the first group that it obeys.
    pub group: Option<usize>,
    /// How it came to its rules.
    pub via: MatchedVia,
    /// Whether it may fetch the path.
    pub is_allowed: bool,
    /// How many of its rules keep it out of something.
    pub disallowed_rules: usize,
}

/// The access of every known crawler to a path.
#[must_use]
pub fn access_of_all(file: &RobotsFile, path: &Target) -> Vec<CrawlerAccess> {
    // Crawlers to which the same groups speak are told the same, so it is looked up once for all of them.
    let mut of_groups: HashMap<Vec<usize>, (bool, usize)> = HashMap::new();
    let of = |crawler: &'static Crawler| {
        let access = file.access(crawler.token);
        let groups = access.key();
        let group = groups.first().copied();
        let (is_allowed, disallowed_rules) = *of_groups.entry(groups).or_insert_with(|| {
            let keeps_out = access
                .rules()
                .filter(|rule| rule.kind == RuleKind::Disallow && !rule.pattern.is_empty());
            (access.decide(path).is_allowed, keeps_out.count())
        });
        CrawlerAccess {
            crawler,
            group,
            via: access.via,
            is_allowed,
            disallowed_rules,
        }
    };
    CRAWLERS.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::robots::file::product_token;

    #[test]
    fn each_token_stands_once_and_is_one() {
        let tokens: HashSet<String> = CRAWLERS
            .iter()
            .map(|crawler| crawler.token.to_lowercase())
            .collect();
        assert_eq!(tokens.len(), CRAWLERS.len());
        let of_ai = CRAWLERS.iter().filter(|crawler| crawler.purpose.is_ai());
        assert!(of_ai.count() >= 45);
        for crawler in CRAWLERS {
            let documented = crawler.documentation_url.unwrap_or("https://");
            assert!(documented.starts_with("https://"), "{crawler:?}");
            assert!(!product_token(crawler.token).is_empty(), "{crawler:?}");
        }
    }

    /// Whom operators say that it follows where it has no group of its own, and whether it then obeys the group of all.
    const QUIRKS: &[(&str, Option<&str>, bool)] = &[
        ("Googlebot-Image", Some("Googlebot"), true),
        ("Googlebot-News", Some("Googlebot"), true),
        ("Googlebot-Video", Some("Googlebot"), true),
        ("Google-InspectionTool", Some("Googlebot"), true),
        ("GoogleOther-Image", Some("GoogleOther"), true),
        ("GoogleOther-Video", Some("GoogleOther"), true),
        ("AdsBot-Google", None, false),
        ("AdsBot-Google-Mobile", None, false),
        ("Mediapartners-Google", None, false),
        ("APIs-Google", None, false),
        ("Applebot", Some("Googlebot"), true),
        ("YandexBot", Some("Yandex"), true),
        ("YandexAdditionalBot", Some("Yandex"), true),
    ];

    #[test]
    fn each_crawler_obeys_whom_its_operator_names() {
        for (token, ..) in QUIRKS {
            assert!(named(token).is_some(), "{token}");
        }
        for crawler in CRAWLERS {
            let quirk = QUIRKS.iter().find(|(token, ..)| *token == crawler.token);
            let (follows, obeys_any) = quirk.map_or((None, true), |(_, follows, any)| (*follows, *any));
            let others = if obeys_any {
                MatchedVia::Wildcard
            } else {
                MatchedVia::None
            };
            for followed in ["Googlebot", "GoogleOther", "Yandex"] {
                let text = format!("User-agent: {followed}\nDisallow: /\n\nUser-agent: *\nDisallow: /all\n");
                let expected = if crawler.token == followed || follows == Some(followed) {
                    MatchedVia::OwnGroup
                } else {
                    others
                };
                let file = RobotsFile::parse(text.as_bytes());
                let upper = format!("{}/1.0", crawler.token.to_uppercase());
                for name in [crawler.token, upper.as_str()] {
                    assert_eq!(file.access(name).via, expected, "{name} beside {followed}");
                }
                let own = format!("{text}\nUser-agent: {}\nAllow: /\n", crawler.token);
                let access = RobotsFile::parse(own.as_bytes());
                let access = access.access(crawler.token);
                assert_eq!(access.via, MatchedVia::OwnGroup, "{}", crawler.token);
            }
        }
    }

    #[test]
    fn each_crawler_goes_by_its_own_group() {
        let file = RobotsFile::parse(
            b"User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /cart\nDisallow:\n\nUser-agent: GPTBot\nAllow: /\n",
        );
        let all = access_of_all(&file, &Target::new("/"));
        let of = |token: &str| {
            let found = all.iter().find(|access| access.crawler.token == token);
            found.map(|access| {
                (
                    access.group,
                    access.via,
                    access.is_allowed,
                    access.disallowed_rules,
                )
            })
        };
        assert_eq!(of("Googlebot"), Some((Some(1), MatchedVia::OwnGroup, true, 1)));
        assert_eq!(
            of("Googlebot-News"),
            Some((Some(1), MatchedVia::OwnGroup, true, 1)),
            "it follows Googlebot's"
        );
        assert_eq!(
            of("Storebot-Google"),
            Some((Some(0), MatchedVia::Wildcard, false, 1))
        );
        assert_eq!(
            of("AdsBot-Google"),
            Some((None, MatchedVia::None, true, 0)),
            "it obeys its name alone"
        );
        assert_eq!(of("GPTBot"), Some((Some(2), MatchedVia::OwnGroup, true, 0)));
        assert_eq!(of("ClaudeBot"), Some((Some(0), MatchedVia::Wildcard, false, 1)));
    }
}
