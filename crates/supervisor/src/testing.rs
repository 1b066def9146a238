//! For tests: a task that panics at a chosen moment, without a place for panics in the task itself.

use std::sync::atomic::{AtomicBool, Ordering};

use tracing::{
    Event, Level, Metadata, Subscriber,
    span::{Attributes, Id, Record},
    subscriber::DefaultGuard,
};

/// The log of this thread panics once, at the first warning of a module: whatever warns there panics.
#[must_use]
pub fn panic_at_a_warning_of(module: &'static str) -> DefaultGuard {
    tracing::subscriber::set_default(PanickingLog {
        module,
        has_panicked: AtomicBool::new(false),
    })
}

struct PanickingLog {
    module: &'static str,
    has_panicked: AtomicBool,
}

impl Subscriber for PanickingLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::WARN && metadata.target() == self.module
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {
        let is_first = !self.has_panicked.swap(true, Ordering::SeqCst);
        assert!(!is_first, "the log panics once");
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
