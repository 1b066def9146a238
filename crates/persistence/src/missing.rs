//! Rolling back where the thing that a request names is not there: a refusal costs nothing.

use pharos_domain::credits::SettleError;

/// Why a charged transaction was rolled back.
#[derive(Debug)]
pub enum Undone<E> {
    /// There is no such thing.
    Missing,
    /// The port has something else to say.
    Other(E),
}

impl<E: From<SettleError>> From<SettleError> for Undone<E> {
    fn from(error: SettleError) -> Self {
        Self::Other(error.into())
    }
}

/// The effect of a charged transaction; `None`: the thing that it was to change is not there.
///
/// # Errors
/// Whatever else the port has to say.
pub fn found<T, E>(done: Result<T, Undone<E>>) -> Result<Option<T>, E> {
    match done {
        Ok(effect) => Ok(Some(effect)),
        Err(Undone::Missing) => Ok(None),
        Err(Undone::Other(error)) => Err(error),
    }
}
