//! Pages by the directories that they lie in.

use async_trait::async_trait;
use pharos_domain::{identity::DomainAccess, store::StoreError, window::DateRange};

use super::figures::{Figures, SearchType};

/// The deepest level that can be asked for.
pub const DEEPEST: u8 = 3;

/// A directory. A page lies in exactly one: that of its path's segments that end in a slash, as many as are asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Directory {
    /// Its path, such as `/blog/`; of all hosts together.
    pub prefix: String,
    /// How many of its pages were seen.
    pub pages: u64,
    /// Their figures, counted by page.
    pub figures: Figures,
}

impl Directory {
    /// How many segments its path has: none is the root.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.prefix.matches('/').count().saturating_sub(1)
    }
}

/// Reads directories.
#[async_trait]
pub trait DirectoryReads: Send + Sync {
    /// The directories of a window, `most` of them, the most clicks first; and how many there are.
    async fn directories(
        &self,
        domain: &DomainAccess,
        search_type: SearchType,
        window: DateRange,
        depth: u8,
        most: u16,
    ) -> Result<(Vec<Directory>, u64), StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_has_no_segments() {
        for (prefix, depth) in [("/", 0), ("/blog/", 1), ("/blog/2026/", 2)] {
            let directory = Directory {
                prefix: prefix.to_owned(),
                pages: 1,
                figures: Figures::default(),
            };
            assert_eq!(directory.depth(), depth, "{prefix}");
        }
    }
}
