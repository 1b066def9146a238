//! The permit of a request to run as one of so many at once, which whatever it began holds with it.

use std::{cell::RefCell, fmt, future::poll_fn, pin::pin, sync::Arc};

/// A permit to run as one of the heavy queries of a credential and of a workspace. It is given back once all clones are
/// dropped. The default holds none.
#[derive(Clone, Default)]
pub struct Permit(Option<Arc<GiveBack>>);

/// Runs when it is dropped.
struct GiveBack(Option<Box<dyn FnOnce() + Send + Sync>>);

impl Drop for GiveBack {
    fn drop(&mut self) {
        if let Some(give_back) = self.0.take() {
            give_back();
        }
    }
}

thread_local! {
    /// The permit of the request that this thread works for at the moment.
    static OF_THIS_REQUEST: RefCell<Permit> = const { RefCell::new(Permit(None)) };
}

/// Puts back what was there before.
struct Restore(Permit);

impl Drop for Restore {
    fn drop(&mut self) {
        OF_THIS_REQUEST.replace(std::mem::take(&mut self.0));
    }
}

impl Permit {
    /// A permit that `give_back` gives back.
    pub fn new(give_back: impl FnOnce() + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(GiveBack(Some(Box::new(give_back))))))
    }

    /// Does the work that the permit was taken for. Tasks begun on the way, which may outlast a caller who hangs up,
    /// find the permit by [`Permit::of_this_request`].
    pub async fn during<T>(&self, work: impl Future<Output = T>) -> T {
        if self.0.is_none() {
            return work.await;
        }
        let mut work = pin!(work);
        poll_fn(|context| {
            let _restore = Restore(OF_THIS_REQUEST.replace(self.clone()));
            work.as_mut().poll(context)
        })
        .await
    }

    /// The permit that the present request holds, to hold it too: a statement goes on for a while after its caller has
    /// hung up. Where it holds none, this is none.
    #[must_use]
    pub fn of_this_request() -> Self {
        OF_THIS_REQUEST.with_borrow(Self::clone)
    }
}

impl fmt::Debug for Permit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Permit").field(&self.0.is_some()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::ready,
        sync::atomic::{AtomicBool, Ordering},
        task::{Context, Poll, Waker},
    };

    use super::*;

    #[test]
    fn a_permit_is_given_back_with_the_last_that_holds_it() {
        let given_back = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&given_back);
        let permit = Permit::new(move || seen.store(true, Ordering::SeqCst));
        let kept = {
            let work = pin!(permit.during(async { Permit::of_this_request() }));
            match work.poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(kept) => kept,
                Poll::Pending => unreachable!("there is nothing to wait for"),
            }
        };
        drop(permit);
        assert!(!given_back.load(Ordering::SeqCst), "what was begun holds it");
        drop(kept);
        assert!(given_back.load(Ordering::SeqCst));
    }

    /// One that waits does not leave its permit to whatever its thread does meanwhile.
    #[test]
    fn a_request_that_waits_holds_its_permit_alone() {
        let permit = Permit::new(|| {});
        let mut waits = true;
        let mut work = pin!(permit.during(poll_fn(move |_| {
            assert!(Permit::of_this_request().0.is_some());
            if std::mem::replace(&mut waits, false) {
                Poll::Pending
            } else {
                Poll::Ready(())
            }
        })));
        let context = &mut Context::from_waker(Waker::noop());
        assert_eq!(work.as_mut().poll(context), Poll::Pending);
        assert!(Permit::of_this_request().0.is_none());
        assert_eq!(work.as_mut().poll(context), Poll::Ready(()));
        assert!(Permit::of_this_request().0.is_none());
    }

    /// Work within work holds the inner permit; a panic leaves none behind on its thread.
    #[test]
    fn what_was_held_before_is_held_again() {
        let holds = |permit: &Permit| {
            let held = Permit::of_this_request();
            matches!((&held.0, &permit.0), (Some(held), Some(own)) if Arc::ptr_eq(held, own))
        };
        let (outer, inner) = (Permit::new(|| {}), Permit::new(|| {}));
        let mut work = pin!(outer.during(async {
            inner.during(async { assert!(holds(&inner)) }).await;
            assert!(holds(&outer));
        }));
        assert!(
            work.as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
                .is_ready()
        );
        let panicked = std::panic::catch_unwind(|| {
            let permit = Permit::new(|| {});
            let work = pin!(permit.during(async { panic!("on the way") }));
            let _: Poll<()> = work.poll(&mut Context::from_waker(Waker::noop()));
        });
        assert!(panicked.is_err());
        assert!(Permit::of_this_request().0.is_none());
    }

    #[test]
    fn without_a_permit_there_is_none_to_hold() {
        let none = Permit::default();
        let mut work = pin!(none.during(ready(())));
        assert!(
            work.as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
                .is_ready()
        );
        assert!(Permit::of_this_request().0.is_none());
    }
}
