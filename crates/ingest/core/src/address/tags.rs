//! The meaning of tags and click ids in the query of an address.

use pharos_domain::collect::{event::Origin, tag::Tag};

use crate::beacon::clean;

/// How many characters of a tag count.
const MOST_OF_TAG: usize = 200;

/// Records the value of a tag.
pub(super) fn note(tag: Tag, origin: &mut Origin, value: &str) {
    let Some(value) = clean(value, MOST_OF_TAG) else {
        return;
    };
    match tag {
        Tag::Source => origin.source = Some(value),
        Tag::PlainSource => {
            origin.source.get_or_insert(value);
        }
        Tag::Medium => origin.medium = Some(value),
        Tag::Campaign => origin.campaign = Some(value),
        Tag::Term => origin.term = Some(value),
        Tag::Content => origin.content = Some(value),
        Tag::Unkept => {}
        Tag::ClickId(advertiser) => {
            origin.click_id.get_or_insert(advertiser);
        }
    }
}
