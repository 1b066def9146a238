//! The content of a beacon of real-user monitoring.

use pharos_domain::{
    collect::{site::CollectionSettings, view::View},
    settings::Faults,
};
use time::OffsetDateTime;

use super::{Content, Members, Received, content::foreign};
use crate::{sites::Known, vitals_beacon};

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

    fn rows(members: Members<'_>) -> usize {
        vitals_beacon::rows(members.0)
    }

    fn split(self, at: OffsetDateTime) -> (Option<Self>, Option<Self>) {
        if self.at < at {
            (Some(self), None)
        } else {
            (None, Some(self))
        }
    }
}
