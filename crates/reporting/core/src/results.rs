//! Where results lie: among the artefacts. This module alone knows their names.

use bytes::Bytes;
use pharos_artefacts::{
    key::{ArtefactKey, MalformedKey},
    store::{ArtefactError, Artefacts},
};
use pharos_domain::ids::RunId;

use crate::run::ReportRun;

/// The results of runs.
#[derive(Clone, Debug)]
pub struct Results {
    artefacts: Artefacts,
}

/// Results can't be read or written.
#[derive(Debug, thiserror::Error)]
#[error("the results of reports: {0}")]
pub enum ResultsError {
    /// The store failed.
    Store(#[from] ArtefactError),
    /// Its name is none of an artefact.
    Name(#[from] MalformedKey),
}

impl Results {
    /// Those among these artefacts.
    #[must_use]
    pub const fn new(artefacts: Artefacts) -> Self {
        Self { artefacts }
    }

    /// Keeps the result of a run, in the place of an earlier one.
    ///
    /// # Errors
    /// It can't be written.
    pub async fn put(&self, run: &ReportRun, result: Bytes) -> Result<(), ResultsError> {
        Ok(self.artefacts.put(&key(run)?, result).await?)
    }

    /// A result; `None`: there is none.
    ///
    /// # Errors
    /// It can't be read.
    pub async fn get(&self, run: &ReportRun) -> Result<Option<Bytes>, ResultsError> {
        Ok(self.artefacts.get(&key(run)?).await?)
    }

    /// Takes the result of a run out; none is as good.
    ///
    /// # Errors
    /// It can't be deleted.
    pub async fn delete(&self, run: RunId) -> Result<(), ResultsError> {
        Ok(self
            .artefacts
            .delete_all(&format!("{PREFIX}/{run}").parse()?)
            .await?)
    }
}

/// The prefix of results among artefacts.
const PREFIX: &str = "reports";

/// The name of a result. Its last part is how the file is called that readers save.
///
/// # Errors
/// It is no name of an artefact, which does not happen: it is made of an id, a day and a format.
pub fn key(run: &ReportRun) -> Result<ArtefactKey, MalformedKey> {
    let ReportRun { format, days, .. } = run;
    format!("{PREFIX}/{}/report-{}.{format}", run.run.id, days.last()).parse()
}
