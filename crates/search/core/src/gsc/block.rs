//! The part of search in the overview and the health of a domain.

use std::{collections::HashMap, sync::Arc};

use async_trait::async_trait;
use pharos_domain::{
    identity::DomainAccess,
    ids::DomainId,
    module::Module,
    module_block::{
        BlockWindows, ModuleHealth, ModuleReporter, OverviewBlock, OverviewReport, SearchBlock,
        SearchFigures, Versus,
    },
    ports::{MissingPort, Ports},
    store::StoreError,
    window::DateRange,
};
use time::{Date, Duration};

use super::{
    figures::{Figures, SearchType},
    standing::{DayOf, Standing, StandingStore},
};

/// How the score comes about, for the API's document.
pub const SCORE: &str = "The score of gsc is 100 × clicks of web search ÷ those of the window before, 100 at most, both cut to \
                         the days that are final; it is null where neither window has any.";

/// Reports on the search of domains.
pub struct SearchReporter {
    standing: Arc<dyn StandingStore>,
}

impl std::fmt::Debug for SearchReporter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SearchReporter").finish_non_exhaustive()
    }
}

/// The stored days of the two windows.
struct Found {
    standing: Standing,
    totals: HashMap<DayOf, Figures>,
    domain: DomainId,
}

impl Found {
    /// The sum of a window; `None` where no day of it has any.
    fn sum(&self, search_type: SearchType, window: DateRange) -> Option<Figures> {
        let days = window
            .dates()
            .filter_map(|date| self.totals.get(&(self.domain, search_type, date)));
        let mut days = days.copied().peekable();
        days.peek()?;
        Some(days.sum())
    }

    fn block(&self, window: DateRange) -> SearchBlock {
        let of = |search_type| self.sum(search_type, window).map(SearchFigures::from);
        SearchBlock {
            web: of(SearchType::Web),
            discover: of(SearchType::Discover),
            news: of(SearchType::News),
        }
    }

    /// The clicks of web search in the part of a window that is as long as the final part of the present one.
    fn clicks(&self, window: DateRange, days: i64) -> Option<u64> {
        let last = window.first() + Duration::days(days.clamp(0, 400) - 1);
        let cut = DateRange::new(window.first(), last.min(window.last()))?;
        self.sum(SearchType::Web, cut).map(|figures| figures.clicks)
    }
}

impl SearchReporter {
    /// A reporter on what these ports know.
    ///
    /// # Errors
    /// The port is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            standing: ports.get()?,
        })
    }

    /// The stored days from `first` on; `None`: the domain is not linked.
    async fn found(
        &self,
        domain: &DomainAccess,
        first: Date,
        last: Date,
    ) -> Result<Option<Found>, StoreError> {
        let id = domain.id();
        let Some(standing) = self.standing.standing(&[id]).await?.remove(&id) else {
            return Ok(None);
        };
        let totals = match DateRange::new(first, last) {
            Some(range) => self.standing.totals(&[id], range).await?,
            None => HashMap::new(),
        };
        Ok(Some(Found {
            standing,
            totals,
            domain: id,
        }))
    }
}

#[async_trait]
impl ModuleReporter for SearchReporter {
    fn module(&self) -> Module {
        Module::Gsc
    }

    async fn overview(
        &self,
        domain: &DomainAccess,
        windows: &BlockWindows,
    ) -> Result<OverviewReport, StoreError> {
        let BlockWindows {
            current, previous, ..
        } = *windows;
        let Some(found) = self.found(domain, previous.first(), current.last()).await? else {
            return Ok(OverviewReport::NotConfigured);
        };
        let is_empty =
            |block: &SearchBlock| block.web.is_none() && block.discover.is_none() && block.news.is_none();
        let now = found.block(current);
        if is_empty(&now) {
            return Ok(OverviewReport::Empty);
        }
        let before = found.block(previous);
        let versus = Versus {
            current: now,
            previous: (!is_empty(&before)).then_some(before),
        };
        Ok(OverviewReport::Block(Box::new(OverviewBlock::Gsc(versus))))
    }

    async fn health(
        &self,
        domain: &DomainAccess,
        windows: &BlockWindows,
    ) -> Result<Option<ModuleHealth>, StoreError> {
        let BlockWindows {
            now,
            current,
            previous,
        } = *windows;
        let before = previous.preceding();
        let Some(found) = self.found(domain, before.first(), current.last()).await? else {
            return Ok(None);
        };
        let through = found.standing.data_through;
        let days = through.map_or(0, |through| (through - current.first()).whole_days() + 1);
        let [now_clicks, previous_clicks, before_clicks] =
            [current, previous, before].map(|window| found.clicks(window, days));
        Ok(Some(ModuleHealth::scored(
            score(now_clicks, previous_clicks),
            score(previous_clicks, before_clicks),
            Vec::new(),
            now,
        )))
    }
}

/// The score as [`SCORE`] says.
fn score(clicks: Option<u64>, before: Option<u64>) -> Option<f64> {
    match (clicks.unwrap_or(0), before.unwrap_or(0)) {
        (0, 0) => None,
        (_, 0) => Some(100.0),
        (clicks, before) => Some((100.0 * clicks as f64 / before as f64).min(100.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_follows_the_clicks() {
        assert_eq!(score(None, None), None);
        assert_eq!(score(Some(0), Some(0)), None);
        assert_eq!(score(Some(5), None), Some(100.0));
        assert_eq!(score(Some(120), Some(100)), Some(100.0));
        assert_eq!(score(Some(75), Some(100)), Some(75.0));
    }
}
