//! The content of a beacon of real-user monitoring.

use pharos_domain::{
    collect::{site::CollectionSettings, view::View},
    settings::Faults,
};
use time::OffsetDateTime;

use super::{Content, Members, Received, content::foreign};
use crate::{sites::Known, vitals_beacon};

/// How many bytes a row of the store counts for, about as many as the tracker takes to tell what stands in one.
const BYTES_OF_ROW: usize = 200;

impl Content for View {
    const KIND: &'static str = "vitals";

    fn settings(known: &Known) -> Option<&CollectionSettings> {
        known.vitals.as_ref()
    }

    fn read(members: Members<'_>, received: &Received<'_>, faults: &mut Faults) -> Option<Self> {
        let view = vitals_beacon::read(members.0, received.load, received.at, faults)?;
        if !received.has_host(&view.host) {
            faults.within("view", |faults| faults.add("url", foreign(&view.host)));
            return None;
        }
        (!received.leaves_out(&view.path)).then_some(view)
    }

    /// A list of objects with a single short member each comes to hundreds of rows in a few kilobytes.
    fn weight(&self, bytes: usize) -> usize {
        let frames = self.long_frames.iter().flatten();
        let rows = self.errors.len()
            + self.resources.len()
            + frames.map(|frame| 1 + frame.scripts.len()).sum::<usize>()
            + self.not_restored.as_ref().map_or(0, Vec::len);
        bytes.max(rows * BYTES_OF_ROW)
    }

    fn split(self, at: OffsetDateTime) -> (Option<Self>, Option<Self>) {
        if self.at < at {
            (Some(self), None)
        } else {
            (None, Some(self))
        }
    }
}
