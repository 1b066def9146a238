//! The sections `robots` and `sitemap` of reports.

use async_trait::async_trait;
use pharos_domain::{
    identity::DomainAccess,
    ports::{MissingPort, Ports},
    report_widget::{ReportSection, ReportWindow, SectionName, WidgetAnswer, WidgetQuery, WidgetSource},
};
use pharos_http::widgets::Reads;

use crate::{
    robots::widgets::{self as robots, RobotsWidgets},
    sitemap::widgets::{self as sitemap, SitemapWidgets},
};

const SECTIONS: &[ReportSection] = &[robots::SECTION, sitemap::SECTION];

/// Gives the data of the sections `robots` and `sitemap`.
#[derive(Clone)]
pub struct CrawlWidgets {
    robots: RobotsWidgets,
    sitemap: SitemapWidgets,
}

impl std::fmt::Debug for CrawlWidgets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CrawlWidgets").finish_non_exhaustive()
    }
}

impl CrawlWidgets {
    /// The widgets on these ports.
    ///
    /// # Errors
    /// A port is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            robots: RobotsWidgets::new(ports)?,
            sitemap: SitemapWidgets::new(ports)?,
        })
    }
}

#[async_trait]
impl WidgetSource for CrawlWidgets {
    fn sections(&self) -> &'static [ReportSection] {
        SECTIONS
    }

    async fn read(
        &self,
        domain: &DomainAccess,
        window: &ReportWindow,
        widgets: &[WidgetQuery],
    ) -> Vec<WidgetAnswer> {
        let (mut of_robots, mut of_sitemap) = (Reads::default(), Reads::default());
        let mut answers = Vec::with_capacity(widgets.len());
        for widget in widgets {
            answers.push(match widget.section {
                SectionName::Sitemap => self.sitemap.one(domain, window, widget, &mut of_sitemap).await,
                _ => self.robots.one(domain, widget, &mut of_robots).await,
            });
        }
        answers
    }
}
