//! Texts of the dictionary, checked against what callers wrote: SQL has no such expressions.

use std::{pin::pin, sync::Arc};

use diesel::result::Error;
use futures_util::{TryStream, TryStreamExt, stream::TryChunksError};
use pharos_domain::store::StoreError;
use pharos_persistence::failure::read_failure;
use pharos_search::gsc::{
    config::{BRANDING, Brand},
    judging::{AT_ONCE, Budget},
};

/// The numbers of the queries that are for the brand. Texts are looked at as they come, never all of them at once.
pub(super) async fn branded(
    queries: impl TryStream<Ok = (i64, String), Error = Error> + Send,
    brand: &Arc<Brand>,
) -> Result<Vec<i64>, StoreError> {
    let mut queries = pin!(queries.try_chunks(AT_ONCE.into()));
    let (mut branded, mut budget) = (Vec::new(), Budget::new(BRANDING));
    while let Some(some) = queries
        .try_next()
        .await
        .map_err(|TryChunksError(_, error)| read_failure(error))?
    {
        branded.extend(budget.fitting(some, brand).await?);
    }
    Ok(branded)
}
