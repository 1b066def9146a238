//! Wakes whoever waits for work.

use std::{
    collections::HashSet,
    mem,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use tokio::sync::Notify;

/// Rings when work came that nobody could know of: a job was enqueued, or something is due sooner than it was.
/// The listener of the database pulls it.
#[derive(Debug, Default)]
pub struct Bell {
    names: OnceLock<HashSet<String>>,
    rings: Notify,
    news: Mutex<News>,
}

/// How many things a bell remembers by name. If there are more, all are concerned.
const MOST_SUBJECTS: usize = 1_000;

/// The things that a bell rang about since it was last heard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    subjects: HashSet<String>,
    is_of_all: bool,
}

impl News {
    /// Whether a thing is concerned.
    #[must_use]
    pub fn concerns(&self, subject: &str) -> bool {
        self.is_of_all || self.subjects.contains(subject)
    }

    fn add(&mut self, subject: &str) {
        if self.subjects.len() < MOST_SUBJECTS {
            self.subjects.insert(subject.to_owned());
        } else {
            self.is_of_all = true;
        }
    }
}

impl Bell {
    /// Says which lanes and kinds to ring for; the first word stands. Until then it rings for all.
    pub fn ring_for(&self, names: HashSet<String>) {
        let _ = self.names.set(names);
    }

    /// Waits until it rings, and says what about. A ring that nobody waited for is not lost; several are one.
    pub async fn rung(&self) -> News {
        self.rings.notified().await;
        mem::take(&mut *self.news())
    }

    /// Something about a thing of this lane has changed.
    pub fn ring_about(&self, name: &str, subject: &str) {
        if self.names.get().is_none_or(|names| names.contains(name)) {
            self.news().add(subject);
            self.rings.notify_one();
        }
    }

    /// There is work in this lane, or of this kind.
    pub fn ring(&self, name: &str) {
        if self.names.get().is_none_or(|names| names.contains(name)) {
            self.rings.notify_one();
        }
    }

    /// There may be work that nobody heard of.
    pub fn ring_anyhow(&self) {
        self.news().is_of_all = true;
        self.rings.notify_one();
    }

    /// A poisoned lock is as good as any: each change of the news is whole.
    fn news(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bells of a process, one for each loop that waits.
#[derive(Debug, Default)]
pub struct Bells(Mutex<Vec<Arc<Bell>>>);

impl Bells {
    /// A bell of its own for another loop.
    pub fn add(&self) -> Arc<Bell> {
        let bell = Arc::<Bell>::default();
        self.lock().push(Arc::clone(&bell));
        bell
    }

    /// Rings all that ring for this lane or kind.
    pub fn ring(&self, name: &str) {
        self.lock().iter().for_each(|bell| bell.ring(name));
    }

    /// Rings all that ring for this lane, about a thing in it.
    pub fn ring_about(&self, lane: &str, subject: &str) {
        self.lock().iter().for_each(|bell| bell.ring_about(lane, subject));
    }

    /// Rings all: there may be work that nobody heard of.
    pub fn ring_anyhow(&self) {
        self.lock().iter().for_each(|bell| bell.ring_anyhow());
    }

    /// A poisoned lock is as good as any: the list in it is whole.
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Bell>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    async fn rings(bell: &Bell) -> bool {
        timeout(Duration::from_millis(20), bell.rung()).await.is_ok()
    }

    #[tokio::test]
    async fn rings_for_its_own_names_and_keeps_one_ring() {
        let bell = Bell::default();
        bell.ring("us");
        assert!(rings(&bell).await, "until it is told, for all");
        bell.ring_for(HashSet::from(["eu".to_owned(), "roll_up".to_owned()]));
        bell.ring("us");
        assert!(!rings(&bell).await);
        bell.ring("eu");
        bell.ring("roll_up");
        assert!(rings(&bell).await);
        assert!(!rings(&bell).await, "several are one");
        bell.ring_anyhow();
        assert!(rings(&bell).await);
    }

    #[tokio::test]
    async fn each_loop_hears_of_its_own_lanes() {
        let bells = Bells::default();
        let (checks, rules) = (bells.add(), bells.add());
        checks.ring_for(HashSet::from(["eu".to_owned()]));
        rules.ring_for(HashSet::from(["alerts".to_owned()]));
        bells.ring_about("alerts", "shop");
        assert!(!rings(&checks).await);
        assert!(rings(&rules).await);
        bells.ring("eu");
        assert!(rings(&checks).await);
        assert!(!rings(&rules).await);
        bells.ring_anyhow();
        assert!(rings(&checks).await && rings(&rules).await);
    }

    #[tokio::test]
    async fn says_what_it_rang_about() {
        let bell = Bell::default();
        bell.ring_about("eu", "shop");
        bell.ring_about("eu", "blog");
        let news = bell.rung().await;
        assert!(news.concerns("shop") && news.concerns("blog") && !news.concerns("wiki"));
        bell.ring_about("eu", "wiki");
        assert!(!bell.rung().await.concerns("shop"), "that was told before");
        for number in 0..=MOST_SUBJECTS {
            bell.ring_about("eu", &number.to_string());
        }
        assert!(bell.rung().await.concerns("anything"));
        bell.ring_anyhow();
        assert!(bell.rung().await.concerns("shop"));
    }
}
