//! The findings of the analyses of search, by the rules and of the days that the API has.

use pharos_domain::{
    identity::DomainAccess,
    page::{ListKey, OffsetRequest, PageRequest},
    window::{DateRange, ResolvedWindow},
};
use pharos_search::gsc::{
    analysis::{
        Asked,
        brand::{self, BrandSplit},
        cannibalization::Cannibalized,
        ctr_gaps::{self, Gap},
        decay::{self, Decay},
        opportunities::{self, Opportunity},
    },
    config::SearchConfig,
    curve::CurveSource,
    days::History,
    directories::Directory,
    figures::{Figures, SearchType},
    property::Property,
    rankings::{self, Between, Driver, LostRanking, Movement, Mover, NewRanking},
    values::Dimension,
};

use crate::{console::Search, refusal::Refusal};

/// How many rows a table has. The API has more.
pub(super) const MOST: usize = 10;
/// The same as counts of the ports.
const MOST_ROWS: u16 = 10;

/// The findings of analyses for the page of search.
pub(super) struct Found {
    pub(super) config: SearchConfig,
    /// The days of all but of pages that decay.
    pub(super) window: DateRange,
    /// The weeks of pages that decay.
    pub(super) weeks: DateRange,
    /// Whether anything is known of the days.
    pub(super) is_known: bool,
    /// Whether all of the days before are known.
    pub(super) is_compared: bool,
    /// Whether all of the weeks are known.
    pub(super) has_weeks: bool,
    pub(super) curve: CurveSource,
    pub(super) opportunities: Vec<Opportunity>,
    pub(super) gaps: Vec<(String, Figures, Gap)>,
    pub(super) movers: Vec<(Mover, Driver)>,
    pub(super) new: Vec<NewRanking>,
    pub(super) lost: Vec<LostRanking>,
    pub(super) cannibalized: Vec<Cannibalized>,
    pub(super) decaying: Vec<Decay>,
    /// `None`: nothing says how the brand is called, or nothing is known of the days.
    pub(super) brand: Option<BrandSplit>,
    pub(super) directories: Vec<Directory>,
}

impl Found {
    /// One read after the other: all of them are long, and a page has one connection for such.
    pub(super) async fn read(
        search: &Search,
        domain: &DomainAccess,
        property: &Property,
        asked: &ResolvedWindow,
    ) -> Result<Self, Refusal> {
        let web = SearchType::Web;
        let (window, base) = (asked.window, asked.preceding().window);
        let (weeks, has_weeks) = decay::weeks_of(property, web, window.last());
        let rows = Asked {
            search_type: web,
            window,
        };
        let between = Between {
            search_type: web,
            dimension: Dimension::Query,
            window,
            base,
        };
        let config = search.configs.config(domain).await?;
        let curve = search.curves.ctr_curve(domain, web, window).await?;
        let stored = search.days.days(domain, &[web], &[window]).await?;
        let history = History::new(property.clone(), stored);

        let least = config.settings.min_impressions;
        let candidates = search.analyses.candidates(domain, rows, least, &curve).await?;
        let mut opportunities = opportunities::ranked(candidates, &curve, |page| config.is_excluded(page));
        opportunities.truncate(MOST);
        let below = search
            .analyses
            .below_curve(domain, rows, Dimension::Query, &curve, &config)
            .await?;
        let mut gaps = ctr_gaps::ranked(below, &curve);
        gaps.truncate(MOST);

        let reads = &*search.rankings;
        let moved = rankings::moved(reads, domain, property, &between, Movement::Both, MOST_ROWS).await?;
        let movers = moved
            .into_iter()
            .map(|mover| {
                let driver = mover.drivers(&curve).driver();
                (mover, driver)
            })
            .collect();
        let first = OffsetRequest {
            limit: MOST_ROWS.into(),
            offset: 0,
        };
        let (new, _) = rankings::new(reads, domain, property, &between, first).await?;
        let list = ListKey::new("console.search_analyses", domain.id().0);
        let page = PageRequest::first(list, MOST);
        let mut lost = rankings::lost(reads, domain, &history, &between, &page).await?;
        lost.truncate(MOST);
        let served = search.analyses.served(domain, rows, &config, &page).await?;
        let cannibalized = served.items.into_iter().map(Cannibalized::of).collect();
        let weekly = Asked {
            search_type: web,
            window: weeks,
        };
        let pages = if has_weeks {
            search.analyses.weekly_pages(domain, weekly, &config).await?
        } else {
            Vec::new()
        };
        let mut decaying = decay::ranked(&pages, weeks);
        decaying.truncate(MOST);
        let brand_days = if config.brand().is_configured() {
            search.analyses.brand_days(domain, rows, config.brand()).await?
        } else {
            Vec::new()
        };
        let (sum, by_day) = brand::split(&brand_days);
        let (directories, _) = search
            .directories
            .directories(domain, web, window, 1, MOST_ROWS)
            .await?;
        Ok(Self {
            window,
            weeks,
            is_known: between.is_known(&history),
            is_compared: between.is_compared(property),
            has_weeks,
            curve: curve.source(),
            opportunities,
            gaps,
            movers,
            new,
            lost,
            cannibalized,
            decaying,
            brand: (!by_day.is_empty()).then_some(sum),
            directories,
            config,
        })
    }
}
