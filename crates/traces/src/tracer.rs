//! Which requests and jobs are traced.

use std::sync::{Arc, OnceLock};

use crate::{parent::Parent, queue::Queue};

static TRACER: OnceLock<Tracer> = OnceLock::new();

/// Which requests and jobs are traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// So many of a thousand, drawn by chance.
    pub per_mille: u32,
    /// Whether `traceparent` is what proxies of one's own write: then it says which trace a request belongs to, and whether that is
    /// sampled. Otherwise anybody may have written it, and it is not read.
    pub heeds_parents: bool,
}

/// The tracer of this process.
#[derive(Debug)]
pub(crate) struct Tracer {
    sampling: Sampling,
    pub(crate) queue: Arc<Queue>,
}

/// Begins to trace, and gives the queue that spans come by; `None` where that was done before.
pub fn start(sampling: Sampling) -> Option<Arc<Queue>> {
    let queue = Arc::new(Queue::default());
    let tracer = Tracer {
        sampling,
        queue: Arc::clone(&queue),
    };
    TRACER.set(tracer).ok().map(|()| queue)
}

/// The tracer of this process, where there is one.
pub(crate) fn tracer() -> Option<&'static Tracer> {
    TRACER.get()
}

/// The beginning of a trace on this node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Root {
    pub(crate) trace: u128,
    /// The span of whoever sent the request.
    pub(crate) parent: Option<u64>,
}

impl Tracer {
    /// The trace that a request with this header, or a job, begins; `None`: it is not sampled.
    pub(crate) fn root(&self, traceparent: Option<&str>) -> Option<Root> {
        self.sampling.root(traceparent)
    }
}

impl Sampling {
    fn root(self, traceparent: Option<&str>) -> Option<Root> {
        let parent = traceparent.filter(|_| self.heeds_parents).and_then(Parent::parse);
        match parent {
            Some(parent) => parent.is_sampled.then_some(Root {
                trace: parent.trace,
                parent: Some(parent.span),
            }),
            None => (fastrand::u32(0..1_000) < self.per_mille).then(|| Root {
                trace: fastrand::u128(1..),
                parent: None,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLED: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const UNSAMPLED: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

    #[test]
    fn a_header_of_strangers_neither_forces_a_trace_nor_hides_one() {
        let never = Sampling {
            per_mille: 0,
            heeds_parents: false,
        };
        let always = Sampling {
            per_mille: 1_000,
            ..never
        };
        for header in [SAMPLED, UNSAMPLED] {
            assert_eq!(never.root(Some(header)), None);
            let root = always.root(Some(header)).unwrap();
            assert_eq!(root.parent, None);
            assert_ne!(root.trace, 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736);
        }
    }

    #[test]
    fn a_header_of_proxies_decides() {
        let never = Sampling {
            per_mille: 0,
            heeds_parents: true,
        };
        let always = Sampling {
            per_mille: 1_000,
            ..never
        };
        let root = never.root(Some(SAMPLED)).unwrap();
        assert_eq!(root.parent, Some(0x00f0_67aa_0ba9_02b7));
        assert_eq!(always.root(Some(UNSAMPLED)), None);
        assert!(always.root(Some("nonsense")).is_some() && never.root(Some("nonsense")).is_none());
    }

    #[test]
    fn so_many_of_a_thousand_are_traced() {
        let some = Sampling {
            per_mille: 250,
            heeds_parents: false,
        };
        let traced = (0..40_000).filter(|_| some.root(None).is_some()).count();
        assert!((9_000..11_000).contains(&traced), "{traced}");
    }
}
