//! The sections `gsc` and `indexing` of reports.

use async_trait::async_trait;
use pharos_domain::{
    identity::DomainAccess,
    ports::{MissingPort, Ports},
    report_widget::{ReportSection, ReportWindow, SectionName, WidgetAnswer, WidgetQuery, WidgetSource},
};
use pharos_http::widgets::Reads;

use crate::{
    gsc::widgets::{self as gsc, GscWidgets},
    indexing::widgets::{self as indexing, IndexingWidgets},
};

const SECTIONS: &[ReportSection] = &[gsc::SECTION, indexing::SECTION];

/// Gives the data of the sections `gsc` and `indexing`.
#[derive(Clone)]
pub struct SearchWidgets {
    gsc: GscWidgets,
    indexing: IndexingWidgets,
}

impl std::fmt::Debug for SearchWidgets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SearchWidgets").finish_non_exhaustive()
    }
}

impl SearchWidgets {
    /// The widgets on these ports.
    ///
    /// # Errors
    /// A port is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            gsc: GscWidgets::new(ports)?,
            indexing: IndexingWidgets::new(ports)?,
        })
    }
}

#[async_trait]
impl WidgetSource for SearchWidgets {
    fn sections(&self) -> &'static [ReportSection] {
        SECTIONS
    }

    async fn read(
        &self,
        domain: &DomainAccess,
        window: &ReportWindow,
        widgets: &[WidgetQuery],
    ) -> Vec<WidgetAnswer> {
        let (mut of_gsc, mut of_indexing) = (Reads::default(), Reads::default());
        let mut answers = Vec::with_capacity(widgets.len());
        for widget in widgets {
            answers.push(match widget.section {
                SectionName::Indexing => self.indexing.one(domain, window, widget, &mut of_indexing).await,
                _ => self.gsc.one(domain, window, widget, &mut of_gsc).await,
            });
        }
        answers
    }
}
