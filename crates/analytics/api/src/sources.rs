//! GET /domains/{domain_id}/analytics/sources

use pharos_analytics::{
    breakdown::{Grouping, MOST_PARTS, Part, PartKey},
    channel::{self, Channel},
    filter::Filters,
    filter_texts::FilterTexts,
    store::{SiteStore, VisitStore},
};
use pharos_domain::{identity::DomainAccess, page::Page, window::Meta, wire_enum};
use pharos_http::{
    extract::{port::Port, query::Query, window::FullWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    READ, meta, missing,
    parts::{self, NOT_SET, PartFigures},
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listAnalyticsSources",
    path: "/domains/{domain_id}/analytics/sources",
    summary: "Where sessions came from",
    description: "By `group_by`: the channel, or a source, tag or referrer. A row has the keys of that grouping; all others are \
                  null, and so is what was not tagged. The 1,000 with the most visitors, those first; `total_rows` says how many \
                  there are.",
    paging: Paging::Single,
    ..READ
};

wire_enum! {
    /// By what sessions are told apart.
    SourceGrouping {
        /// By channel, such as organic search.
        Channel = "channel",
        /// By source, such as a search engine or a site that links here.
        Source = "source",
        /// The medium.
        Medium = "medium",
        /// The source with the medium.
        SourceMedium = "source_medium",
        /// The campaign.
        Campaign = "campaign",
        /// The term of a campaign.
        Term = "term",
        /// The content of a campaign.
        Content = "content",
        /// The referrer's domain.
        Referrer = "referrer",
        /// The referrer's domain and path.
        ReferrerPath = "referrer_path",
    }
}

impl From<SourceGrouping> for Grouping {
    fn from(grouping: SourceGrouping) -> Self {
        match grouping {
            SourceGrouping::Channel => Self::Channel,
            SourceGrouping::Source => Self::Source,
            SourceGrouping::Medium => Self::Medium,
            SourceGrouping::SourceMedium => Self::SourceMedium,
            SourceGrouping::Campaign => Self::Campaign,
            SourceGrouping::Term => Self::Term,
            SourceGrouping::Content => Self::Content,
            SourceGrouping::Referrer => Self::Referrer,
            SourceGrouping::ReferrerPath => Self::ReferrerPath,
        }
    }
}

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct SourcesParameters {
    /// By what sessions are told apart; left out: the channel.
    #[param(inline, value_type = Option<SourceGrouping>)]
    group_by: SourceGrouping,
}

impl Default for SourcesParameters {
    fn default() -> Self {
        Self {
            group_by: SourceGrouping::Channel,
        }
    }
}

pub(super) async fn list(
    access: DomainAccess,
    FullWindow(asked): FullWindow,
    Query(parameters): Query<SourcesParameters>,
    Query(filters): Query<FilterTexts>,
    sites: Port<dyn SiteStore>,
    visits: Port<dyn VisitStore>,
) -> ApiResult<Page<AnalyticsSourcePublic, SourcesRoot>> {
    let SourcesParameters { group_by } = parameters;
    let site = sites.view(&access).await?.ok_or_else(missing)?;
    let filters = Filters::from(filters);
    let query = parts::query(asked.window, &filters, &site);
    let found = visits.breakdowns(&access, &query, &[group_by.into()]).await?;
    let breakdown = found.breakdowns.first();
    let items = breakdown
        .into_iter()
        .flat_map(|breakdown| &breakdown.parts)
        .map(|part| {
            let figures = PartFigures::new(part, &found, site.has_commerce);
            AnalyticsSourcePublic::new(part, group_by, figures)
        })
        .collect();
    let total_rows = breakdown.map_or(0, |breakdown| breakdown.total);
    Ok(Page::single(items).with(SourcesRoot {
        group_by,
        rules_version: channel::version().to_owned(),
        currency: site.has_commerce.then_some(site.settings.currency),
        total_rows,
        truncated: total_rows > u64::from(MOST_PARTS),
        meta: meta(&asked, found.last_at),
    }))
}

/// Sessions that came from one place. A key is null where sessions are not told apart by it, or have none.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = AnalyticsSourceKeys)]
pub(super) struct SourceKeys {
    /// The channel.
    #[schema(required)]
    channel: Option<Channel>,
    /// The source, such as `google`; `direct` where there was no trace of one.
    #[schema(required)]
    source: Option<String>,
    /// The medium, from tags alone.
    #[schema(required)]
    medium: Option<String>,
    /// The campaign.
    #[schema(required)]
    campaign: Option<String>,
    /// The term of a campaign.
    #[schema(required)]
    term: Option<String>,
    /// The content of a campaign.
    #[schema(required)]
    content: Option<String>,
    /// The referrer's domain, without `www.`.
    #[schema(required)]
    referrer: Option<String>,
    /// The referrer's path, without its query.
    #[schema(required)]
    referrer_path: Option<String>,
}

/// Sessions that came from one place.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsSource)]
pub(super) struct AnalyticsSourcePublic {
    /// The value that they have in common; null where they were not tagged.
    #[schema(required)]
    key: Option<String>,
    /// The same for people.
    label: String,
    #[serde(flatten)]
    keys: SourceKeys,
    #[serde(flatten)]
    figures: PartFigures,
}

impl AnalyticsSourcePublic {
    fn new(part: &Part, grouping: SourceGrouping, figures: PartFigures) -> Self {
        let mut keys = SourceKeys::default();
        let key = match part.key.clone() {
            PartKey::Channel(channel) => {
                keys.channel = Some(channel);
                Some(channel.as_str().to_owned())
            }
            PartKey::Text(text) => {
                let place = match grouping {
                    SourceGrouping::Medium => &mut keys.medium,
                    SourceGrouping::Campaign => &mut keys.campaign,
                    SourceGrouping::Term => &mut keys.term,
                    SourceGrouping::Content => &mut keys.content,
                    SourceGrouping::Referrer => &mut keys.referrer,
                    _ => &mut keys.source,
                };
                place.clone_from(&text);
                text
            }
            PartKey::Pair(path, Some(host)) if grouping == SourceGrouping::ReferrerPath => {
                let key = format!("{host}{}", path.as_deref().unwrap_or_default());
                (keys.referrer, keys.referrer_path) = (Some(host), path);
                Some(key)
            }
            PartKey::Pair(Some(source), medium) if grouping == SourceGrouping::SourceMedium => {
                let key = format!("{source} / {}", medium.as_deref().unwrap_or(NOT_SET));
                (keys.source, keys.medium) = (Some(source), medium);
                Some(key)
            }
            PartKey::Pair(..) | PartKey::Device(_) | PartKey::Place { .. } => None,
        };
        Self {
            label: keys
                .channel
                .map(label)
                .or_else(|| key.clone())
                .unwrap_or_else(|| NOT_SET.to_owned()),
            key,
            keys,
            figures,
        }
    }
}

/// A channel for people: "Organic search".
fn label(channel: Channel) -> String {
    if channel == Channel::AiAssistants {
        return "AI assistants".to_owned();
    }
    if channel == Channel::Sms {
        return "SMS".to_owned();
    }
    let mut label = channel.as_str().replace('_', " ");
    if let Some(first) = label.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    label
}

/// The members of the answer beside the list of sources.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsSourcesRoot)]
pub(super) struct SourcesRoot {
    /// By what sessions are told apart.
    group_by: SourceGrouping,
    /// The version of the rules by which sources are named and channels chosen.
    rules_version: String,
    /// The currency of `revenue`, ISO 4217; null where ecommerce was never recorded.
    #[schema(required)]
    currency: Option<String>,
    /// How many rows there are.
    #[schema(minimum = 0)]
    total_rows: u64,
    /// Whether some are not shown.
    truncated: bool,
    /// The window in force, which the figures are of.
    meta: Meta,
}

impl Example for AnalyticsSourcePublic {
    fn example() -> Self {
        Self {
            key: Some(Channel::OrganicSearch.as_str().to_owned()),
            label: label(Channel::OrganicSearch),
            keys: SourceKeys {
                channel: Some(Channel::OrganicSearch),
                ..SourceKeys::default()
            },
            figures: PartFigures::example(),
        }
    }
}

impl Example for SourcesRoot {
    fn example() -> Self {
        Self {
            group_by: SourceGrouping::Channel,
            rules_version: channel::version().to_owned(),
            currency: Some("EUR".to_owned()),
            total_rows: 1,
            truncated: false,
            meta: Meta::example(),
        }
    }
}
