//! The texts of a batch that the dictionary has numbers for.

use pharos_analytics::dimension::Dimension;
use pharos_domain::collect::{
    Beacon,
    event::{Action, CommerceItem, Events, PropertyValue},
};

use super::session;
use crate::dictionary::Wanted;

/// All texts of a batch, each with the day on which it is used.
pub(super) fn wanted(batch: &[Beacon<Events>]) -> Wanted {
    let mut wanted = Wanted::default();
    for beacon in batch {
        for event in &beacon.content.0 {
            let day = event.at.date();
            let mut want = |dimension, text: &str| wanted.add(beacon.domain, dimension, text, day);
            want(Dimension::Page, &event.page.path);
            session::each_text(&beacon.client, &event.page.origin, &mut want);
            each_of_action(&event.action, &mut want);
        }
    }
    wanted
}

fn each_of_action(action: &Action, want: &mut impl FnMut(Dimension, &str)) {
    match action {
        Action::PageView | Action::Engagement { .. } | Action::Search { term: None, .. } => {}
        Action::Outbound { url } | Action::Download { url } => want(Dimension::Link, url),
        Action::Search { term: Some(term), .. } => want(Dimension::SearchTerm, term),
        Action::Custom {
            name,
            properties,
            commerce,
        } => {
            want(Dimension::Event, name);
            for (property, value) in properties {
                want(Dimension::Property, property);
                if let PropertyValue::Text(text) = value {
                    want(Dimension::PropertyValue, text);
                }
            }
            for item in commerce.iter().flat_map(|commerce| &commerce.items) {
                want(Dimension::Product, &item.id);
                for (dimension, text) in of_item(item) {
                    if let Some(text) = text {
                        want(dimension, text);
                    }
                }
            }
        }
    }
}

/// The texts of a product beside its id.
pub(super) fn of_item(item: &CommerceItem) -> [(Dimension, Option<&str>); 4] {
    [
        (Dimension::ProductName, item.name.as_deref()),
        (Dimension::ProductCategory, item.category.as_deref()),
        (Dimension::ProductBrand, item.brand.as_deref()),
        (Dimension::ProductVariant, item.variant.as_deref()),
    ]
}
