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
use time::Date;

use super::{
    figures::{Figures, SearchType},
    standing::{DayOf, Standing, StandingStore},
};

/// How the status comes about, for the API's document.
pub const SCORE: &str = "gsc has no score: its status is `ok` where a day of web search is imported.";

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

    /// The same of a window that another is compared with; `None` where not all of it was imported.
    fn base(&self, search_type: SearchType, window: DateRange) -> Option<Figures> {
        self.sum(search_type, window)
            .filter(|_| self.standing.reach.reaches(search_type, window))
    }
}

fn block(of: impl Fn(SearchType) -> Option<Figures>) -> SearchBlock {
    let of = |search_type| of(search_type).map(SearchFigures::from);
    SearchBlock {
        web: of(SearchType::Web),
        discover: of(SearchType::Discover),
        news: of(SearchType::News),
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
        let now = block(|search_type| found.sum(search_type, current));
        if is_empty(&now) {
            return Ok(OverviewReport::Empty);
        }
        let before = block(|search_type| found.base(search_type, previous));
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
        let BlockWindows { now, current, .. } = *windows;
        let Some(found) = self.found(domain, current.first(), current.last()).await? else {
            return Ok(None);
        };
        Ok(Some(ModuleHealth::without_score(
            found.sum(SearchType::Web, current).is_some(),
            Vec::new(),
            now,
        )))
    }
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;
    use crate::gsc::reach::Reach;

    #[test]
    fn nothing_is_compared_with_days_that_were_not_imported() {
        let (first, second) = (date!(2026 - 03 - 01), date!(2026 - 03 - 02));
        let window = DateRange::new(first, date!(2026 - 03 - 28)).unwrap();
        let domain = DomainId::generate();
        let found = |from: Date| {
            let standing = Standing {
                reach: Reach {
                    reached: [(SearchType::Web, from)].into(),
                    ..Reach::default()
                },
                ..Standing::default()
            };
            let figures = Figures {
                clicks: 4,
                ..Figures::default()
            };
            Found {
                standing,
                totals: [((domain, SearchType::Web, second), figures)].into(),
                domain,
            }
        };
        let clicks = |found: &Found| found.base(SearchType::Web, window).map(|figures| figures.clicks);
        let (whole, part) = (found(first), found(second));
        assert_eq!((clicks(&whole), clicks(&part)), (Some(4), None));
        let mut missed = whole;
        missed.standing.reach.missed.insert((SearchType::Web, first));
        assert_eq!(clicks(&missed), None, "a day of it could not be read");
    }
}
