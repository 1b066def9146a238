//! The effect that a caller pays for.

use diesel_async::AsyncPgConnection;

use crate::failure::Abort;

/// The work of the transaction: an async closure whose future may move between threads. (Diesel asks for the same
/// of its own transactions, by a trait that nobody else can name.)
pub trait Effect<'r, T, E>:
    AsyncFnOnce(&'r mut AsyncPgConnection) -> Result<T, Abort<E>>
    + FnOnce(&'r mut AsyncPgConnection) -> <Self as Effect<'r, T, E>>::Doing
    + Send
{
    /// The future of the effect, which the transaction awaits.
    type Doing: Future<Output = Result<T, Abort<E>>> + Send;
}

impl<'r, T, E, F, D> Effect<'r, T, E> for F
where
    F: AsyncFnOnce(&'r mut AsyncPgConnection) -> Result<T, Abort<E>>
        + FnOnce(&'r mut AsyncPgConnection) -> D
        + Send,
    D: Future<Output = Result<T, Abort<E>>> + Send,
{
    type Doing = D;
}
