//! The part of an answer that the response cache keeps.

use crate::payload::Answer;

/// How the response cache keeps an answer, where its operation is cached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keep<T> {
    /// The answer as it was given.
    Same,
    /// This in its place: it tells, for one, that it comes from the cache.
    Instead(T),
    /// Nothing: the answer is not whole, and the next request shall have it computed anew.
    Nothing,
}

/// A handler's answer with what the cache keeps of it. A handler that gives its payload alone has it kept as it is.
#[derive(Clone, Debug)]
pub struct Cacheable<T> {
    /// The answer to this caller.
    pub answer: T,
    /// The answer to later callers, while it is cached.
    pub keep: Keep<T>,
}

/// The result of a handler: a payload, or a [`Cacheable`] one.
pub trait Reply: 'static {
    /// The payload that the document describes.
    type Payload: Answer;

    /// Parts the payload from the way to keep it.
    fn part(self) -> Cacheable<Self::Payload>;
}

impl<T: Answer> Reply for T {
    type Payload = T;

    fn part(self) -> Cacheable<T> {
        Cacheable {
            answer: self,
            keep: Keep::Same,
        }
    }
}

impl<T: Answer> Reply for Cacheable<T> {
    type Payload = T;

    fn part(self) -> Self {
        self
    }
}
