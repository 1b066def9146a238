//! Writing a batch of which a row may be bad.

use async_trait::async_trait;
use pharos_domain::store::StoreError;

use crate::failure::is_of_the_schema;

/// Rows on their way into the store.
#[async_trait]
pub trait Batch<Row: Sync>: Send {
    /// The result that a write has for a row.
    type Said: Send;
    /// Why they can't be written.
    type Error: Fault + Send;

    /// Writes them, all or none.
    async fn write(&mut self, rows: &[Row]) -> Result<Vec<Self::Said>, Self::Error>;

    /// Sets a row aside that can't be written even alone.
    async fn set_aside(&mut self, row: &Row, why: Self::Error) -> Result<Vec<Self::Said>, Self::Error>;
}

/// Tells a bad row from a store that is away.
pub trait Fault {
    /// Whether other rows may fare better.
    fn lies_in_a_row(&self) -> bool;
}

impl Fault for StoreError {
    fn lies_in_a_row(&self) -> bool {
        match self {
            Self::Unavailable(_) | Self::TooLong(_) => false,
            Self::Failed(error) => !error.downcast_ref().is_some_and(is_of_the_schema),
            Self::Corrupt(_) => true,
        }
    }
}

/// Writes a batch, in order. One that fails though the store is there is split in halves, until the bad row is alone and
/// can be set aside. The order is kept.
///
/// # Errors
/// The store is away. Rows that were written stay; the whole batch may come again.
pub async fn write<Row: Sync, B: Batch<Row>>(batch: &mut B, rows: &[Row]) -> Result<Vec<B::Said>, B::Error> {
    let mut said = Vec::new();
    let mut parts = vec![rows];
    while let Some(part) = parts.pop() {
        let written = batch.write(part).await;
        match (written, part) {
            (Ok(more), _) => said.extend(more),
            (Err(error), [row]) if error.lies_in_a_row() => said.extend(batch.set_aside(row, error).await?),
            (Err(error), [_, _, ..]) if error.lies_in_a_row() => {
                let (first, second) = part.split_at(part.len() / 2);
                parts.extend([second, first]);
            }
            (Err(error), _) => return Err(error),
        }
    }
    Ok(said)
}
