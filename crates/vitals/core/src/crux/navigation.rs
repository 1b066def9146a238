//! How browsers came to pages.

use super::{figures::NavigationTypes, pct};

impl NavigationTypes {
    /// Views that were there at once: restored as they were left, or loaded before they were asked for. In percent.
    #[must_use]
    pub fn instant_pct(&self) -> f64 {
        pct(self.back_forward_cache + self.prerender)
    }

    /// The views that were there at once among those that were gone back or forward to, in percent. `None`: nobody went
    /// back or forward.
    #[must_use]
    pub fn bfcache_share_pct(&self) -> Option<f64> {
        let all = self.back_forward + self.back_forward_cache;
        (all > 0.0).then(|| pct(self.back_forward_cache / all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by hand.
    #[test]
    fn instant_views_are_restored_or_prerendered_ones() {
        let types = NavigationTypes {
            navigate: 0.6,
            navigate_cache: 0.1,
            reload: 0.05,
            restore: 0.01,
            back_forward: 0.06,
            back_forward_cache: 0.12,
            prerender: 0.06,
        };
        assert_eq!(types.instant_pct(), 18.0);
        assert_eq!(types.bfcache_share_pct(), Some(66.67));
        let none = NavigationTypes {
            back_forward: 0.0,
            back_forward_cache: 0.0,
            ..types
        };
        assert_eq!(none.bfcache_share_pct(), None);
    }
}
