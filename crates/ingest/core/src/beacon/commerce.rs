//! Events of ecommerce, by the names of GA4.

use pharos_domain::{
    collect::event::{Commerce, CommerceItem, CommerceStep},
    settings::Faults,
};
use serde_json::Value;

use super::{Members, money};

/// The properties that are told apart from others where the event is one of ecommerce.
pub(crate) const MEMBERS: [&str; 4] = ["transaction_id", "value", "currency", "items"];

/// How many products an event has at most.
pub(crate) const MOST_ITEMS: usize = 100;
/// How many characters of an id, a name or a category count.
const MOST_OF_TEXT: usize = 200;
/// How many of one product an event has at most.
const MOST_PIECES: u32 = 1_000_000;

/// Reads what an event of ecommerce says; `None` for the name of another event.
pub(crate) fn read(name: &str, properties: Members<'_>, faults: &mut Faults) -> Option<Commerce> {
    let step = match name {
        "view_item" => CommerceStep::View,
        "add_to_cart" => CommerceStep::AddToCart,
        "begin_checkout" => CommerceStep::Checkout,
        "purchase" => CommerceStep::Purchase,
        "refund" => CommerceStep::Refund,
        _ => return None,
    };
    let order_id = match properties.get("transaction_id") {
        // Shops that count their orders send numbers.
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => properties.text("transaction_id", MOST_OF_TEXT, faults),
    };
    let mut items = Vec::new();
    let list = properties.list("items", MOST_ITEMS, faults).unwrap_or_default();
    faults.within("items", |faults| {
        for (at, value) in list.iter().enumerate() {
            match value {
                Value::Object(members) => {
                    faults.within(at, |faults| items.extend(item(Members(members), faults)));
                }
                _ => faults.add(at, "an object"),
            }
        }
    });
    Some(Commerce {
        step,
        order_id,
        value_cents: amount("value", properties, faults),
        currency: currency(properties, faults),
        items,
    })
}

fn amount(name: &str, members: Members<'_>, faults: &mut Faults) -> Option<i64> {
    match money::cents(members.get(name)?) {
        Ok(cents) => Some(cents),
        Err(fault) => {
            faults.add(name, fault);
            None
        }
    }
}

fn currency(properties: Members<'_>, faults: &mut Faults) -> Option<String> {
    let code = properties
        .text("currency", MOST_OF_TEXT, faults)?
        .to_ascii_uppercase();
    let is_code = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    if !is_code {
        faults.add("currency", "three letters such as EUR (ISO 4217)");
    }
    is_code.then_some(code)
}

fn item(members: Members<'_>, faults: &mut Faults) -> Option<CommerceItem> {
    let name = members.text("item_name", MOST_OF_TEXT, faults);
    let id = match members.get("item_id") {
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => members.text("item_id", MOST_OF_TEXT, faults),
    };
    let category = members.text("item_category", MOST_OF_TEXT, faults);
    let brand = members.text("item_brand", MOST_OF_TEXT, faults);
    let variant = members.text("item_variant", MOST_OF_TEXT, faults);
    let price_cents = amount("price", members, faults);
    let quantity = members.whole("quantity", 0..=MOST_PIECES, faults).unwrap_or(1);
    let Some(id) = id.or_else(|| name.clone()) else {
        faults.add("item_id", "item_id or item_name says which product it is");
        return None;
    };
    Some(CommerceItem {
        id,
        name,
        category,
        brand,
        variant,
        price_cents,
        quantity,
    })
}
