//! Spans, and which of them is the parent of what.

use std::{
    borrow::Cow,
    fmt,
    time::{Duration, Instant, SystemTime},
};

use tokio::task::futures::TaskLocalFuture;

use crate::tracer::{Root, tracer};

tokio::task_local! {
    static CURRENT: Option<Context>;
}

/// The span that what runs is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    trace: u128,
    span: u64,
}

/// The part that Pharos has in what a span tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It answers.
    Server,
    /// It asks.
    Client,
    /// It does what was asked for before.
    Consumer,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text(Cow<'static, str>),
    /// A whole number.
    Number(i64),
}

impl From<&'static str> for Value {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<u16> for Value {
    fn from(number: u16) -> Self {
        Self::Number(number.into())
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

/// A span that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    pub(crate) trace: u128,
    pub(crate) id: u64,
    pub(crate) parent: Option<u64>,
    pub(crate) kind: Kind,
    pub(crate) name: Cow<'static, str>,
    pub(crate) began: SystemTime,
    pub(crate) took: Duration,
    pub(crate) attributes: Vec<(&'static str, Value)>,
    pub(crate) has_failed: bool,
}

/// A span that has not ended, or none. Calls on none cost nothing. It ends when it is dropped.
#[must_use]
pub struct Span(Option<Box<Open>>);

struct Open {
    span: Finished,
    began: Instant,
}

impl Span {
    /// The span of a request with this `traceparent`, if it is sampled.
    pub fn request(traceparent: Option<&str>) -> Self {
        match tracer().and_then(|tracer| tracer.root(traceparent)) {
            Some(root) => Self::open(root, Kind::Server, "request".into()),
            None => Self(None),
        }
    }

    /// The span of a job, if it is sampled. It counts as failed unless it is marked as succeeded.
    pub fn job(name: impl FnOnce() -> String) -> Self {
        match tracer().and_then(|tracer| tracer.root(None)) {
            Some(root) => Self::open(root, Kind::Consumer, name().into()),
            None => Self(None),
        }
    }

    /// The span of an outgoing call within another span; without that there is none.
    pub fn call(name: impl FnOnce() -> Cow<'static, str>) -> Self {
        if tracer().is_none() {
            return Self(None);
        }
        match CURRENT.try_with(|current| *current) {
            Ok(Some(Context { trace, span })) => {
                let root = Root {
                    trace,
                    parent: Some(span),
                };
                Self::open(root, Kind::Client, name())
            }
            Ok(None) | Err(_) => Self(None),
        }
    }

    fn open(Root { trace, parent }: Root, kind: Kind, name: Cow<'static, str>) -> Self {
        Self(Some(Box::new(Open {
            span: Finished {
                trace,
                id: fastrand::u64(1..),
                parent,
                kind,
                name,
                began: SystemTime::now(),
                took: Duration::ZERO,
                attributes: Vec::new(),
                // A job that is never marked has panicked, or was ended from outside.
                has_failed: kind == Kind::Consumer,
            },
            began: Instant::now(),
        })))
    }

    /// Whether anybody will read it.
    #[must_use]
    pub fn is_some(&self) -> bool {
        self.0.is_some()
    }

    /// Gives it another name.
    pub fn rename(&mut self, name: impl FnOnce() -> String) {
        if let Some(open) = &mut self.0 {
            open.span.name = name().into();
        }
    }

    /// Adds an attribute, which must never be a secret, a path or a query.
    pub fn set(&mut self, name: &'static str, value: impl Into<Value>) {
        if let Some(open) = &mut self.0 {
            open.span.attributes.push((name, value.into()));
        }
    }

    /// Marks it as failed.
    pub fn fail(&mut self) {
        if let Some(open) = &mut self.0 {
            open.span.has_failed = true;
        }
    }

    /// Marks it as done.
    pub fn succeed(&mut self) {
        if let Some(open) = &mut self.0 {
            open.span.has_failed = false;
        }
    }

    /// Runs the work with this span as the parent of its spans.
    pub fn within<F: Future>(&self, work: F) -> TaskLocalFuture<Option<Context>, F> {
        let context = self.0.as_ref().map(|open| Context {
            trace: open.span.trace,
            span: open.span.id,
        });
        CURRENT.scope(context, work)
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        if let (Some(open), Some(tracer)) = (self.0.take(), tracer()) {
            let Open { mut span, began } = *open;
            span.took = began.elapsed();
            tracer.queue.push(span);
        }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Span")
            .field(&self.0.as_ref().map(|open| &open.span.name))
            .finish()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn finished(id: u64) -> Finished {
        Finished {
            trace: 1,
            id,
            parent: None,
            kind: Kind::Server,
            name: "GET".into(),
            began: SystemTime::UNIX_EPOCH,
            took: Duration::from_millis(1),
            attributes: Vec::new(),
            has_failed: false,
        }
    }

    #[test]
    fn a_job_has_failed_unless_it_says_otherwise() {
        let root = Root {
            trace: 1,
            parent: None,
        };
        let has_failed = |span: &Span| span.0.as_ref().unwrap().span.has_failed;
        let mut job = Span::open(root, Kind::Consumer, "job".into());
        assert!(has_failed(&job));
        job.succeed();
        assert!(!has_failed(&job));
        assert!(!has_failed(&Span::open(root, Kind::Server, "request".into())));
    }

    /// No test of this crate starts a tracer, since a process can have only one.
    #[test]
    fn without_a_tracer_there_is_no_span() {
        let sampled = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assert!(!Span::request(Some(sampled)).is_some());
        assert!(!Span::job(|| "a job".to_owned()).is_some());
    }
}
