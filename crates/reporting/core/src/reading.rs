//! The queries of one report to its sources. A query that several of its parts need, such as a section and the summary, is sent
//! once.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared},
};
use pharos_domain::{
    identity::DomainAccess,
    problem::Suffix,
    report_widget::{ReportWidget, ReportWindow, SectionName, WidgetAnswer, WidgetQuery},
};
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout_at};

use crate::{
    catalogue::{Catalogue, Origin},
    data::is_in_plan,
};

/// The answers of a source to queries that were sent together; `None`: it was late.
type Answered = Option<Arc<Vec<WidgetAnswer>>>;
/// Answers on their way. Those who wait for one of them drive the reading.
type Batch<'a> = Shared<BoxFuture<'a, Answered>>;
/// An answer: the batch that it comes with, and its place in it.
type Place<'a> = (Batch<'a>, usize);

/// The answer of a source that did not give it in time.
const LATE: WidgetAnswer = WidgetAnswer::unavailable(Some(Suffix::DatastoreError));

/// A report that is being read.
pub(crate) struct Reading<'a> {
    catalogue: &'a Catalogue,
    pub(crate) domain: &'a DomainAccess,
    deadline: Instant,
    /// By [`key`].
    known: Mutex<HashMap<String, Place<'a>>>,
}

impl<'a> Reading<'a> {
    /// Reads figures of this domain until the deadline.
    pub(crate) fn new(catalogue: &'a Catalogue, domain: &'a DomainAccess, deadline: Instant) -> Self {
        Self {
            catalogue,
            domain,
            deadline,
            known: Mutex::default(),
        }
    }

    /// The answers of widgets of a section, each with the fields that were chosen; empty if the catalogue has no such section,
    /// or the plan lacks its module.
    pub(crate) async fn some_of(
        &self,
        window: &ReportWindow,
        (section, widgets): (SectionName, &[&str]),
        chosen: &Map<String, Value>,
    ) -> Vec<(&'static ReportWidget, WidgetAnswer)> {
        let Some(section) = self.catalogue.section(section.as_str()) else {
            return Vec::new();
        };
        if !is_in_plan(self.domain, section) {
            return Vec::new();
        }
        let mut answers = Vec::new();
        for source in 0..self.catalogue.sources.len() {
            let mut queries = Vec::new();
            for name in widgets {
                if let Some(known) = section.widget(name)
                    && known.origin == Origin::Source(source)
                {
                    queries.push(WidgetQuery {
                        section: section.name,
                        widget: known.widget,
                        config: known.widget.complete(chosen),
                    });
                }
            }
            if !queries.is_empty() {
                let found = self.ask(source, window, &queries).await;
                answers.extend(queries.iter().map(|query| query.widget).zip(found));
            }
        }
        answers
    }

    /// The answers of a source, one for each query; a late one is unavailable. Queries that the report has sent before are not
    /// sent again, unless their answers were late; the others are sent in one call.
    pub(crate) async fn ask(
        &self,
        source: usize,
        window: &ReportWindow,
        queries: &[WidgetQuery],
    ) -> Vec<WidgetAnswer> {
        let mut answers = Vec::with_capacity(queries.len());
        let mut late = Vec::new();
        for ((batch, at), is_others) in self.places(source, window, queries) {
            let answer = batch.await.and_then(|answered| answered.get(at).cloned());
            if answer.is_none() && is_others {
                late.push(answers.len());
            }
            answers.push(answer.unwrap_or(LATE));
        }
        if late.is_empty() {
            return answers;
        }
        // Another part may have asked for more than this one, and the slow query may not be among those of this one.
        let asked = late.iter().map(|at| queries[*at].clone()).collect();
        let found = self.read(source, *window, asked).await;
        for (at, answer) in late.into_iter().zip(found.iter().flat_map(|found| found.iter())) {
            answers[at] = answer.clone();
        }
        answers
    }

    /// The place of the answer to each query, and whether another part of the report sent that query.
    fn places(
        &self,
        source: usize,
        window: &ReportWindow,
        queries: &[WidgetQuery],
    ) -> Vec<(Place<'a>, bool)> {
        let keys: Vec<String> = queries.iter().map(|query| key(window, query)).collect();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut fresh, mut names): (Vec<WidgetQuery>, Vec<String>) = (Vec::new(), Vec::new());
        for (query, key) in queries.iter().zip(&keys) {
            if !known.contains_key(key) && !names.contains(key) {
                fresh.push(query.clone());
                names.push(key.clone());
            }
        }
        let is_others: Vec<bool> = keys.iter().map(|key| !names.contains(key)).collect();
        if !fresh.is_empty() {
            let batch = self.read(source, *window, fresh).shared();
            for (at, key) in names.into_iter().enumerate() {
                known.insert(key, (batch.clone(), at));
            }
        }
        keys.iter()
            .zip(is_others)
            .filter_map(|(key, is_others)| Some((known.get(key).cloned()?, is_others)))
            .collect()
    }

    /// Queries a source. Unless it is late, there are as many answers as queries.
    fn read(
        &self,
        source: usize,
        window: ReportWindow,
        queries: Vec<WidgetQuery>,
    ) -> BoxFuture<'a, Answered> {
        let (catalogue, domain, deadline) = (self.catalogue, self.domain, self.deadline);
        let reading = async move {
            let until = deadline.min(Instant::now() + catalogue.section_within);
            let read = catalogue.sources[source].read(domain, &window, &queries);
            let Ok(mut answers) = timeout_at(until, read).await else {
                let sections: Vec<&str> = queries.iter().map(|query| query.section.as_str()).collect();
                tracing::warn!(section = sections.first(), "a section of a report is late");
                return None;
            };
            answers.resize(queries.len(), LATE);
            Some(Arc::new(answers))
        };
        reading.boxed()
    }
}

/// The name of a query within a report: all of them are about the same days.
fn key(window: &ReportWindow, query: &WidgetQuery) -> String {
    let chosen = Value::Object(query.config.clone());
    format!(
        "{}/{} {} {chosen}",
        query.section, query.widget.name, window.compares
    )
}
