//! The pages of a demo shop.

use maud::{Markup, html};

use super::{Frame, goods, goods::Good, layout::page};

/// The first page: a large picture that comes late, and all that is sold.
pub(super) fn landing(frame: &Frame<'_>) -> Markup {
    let content = html! {
        section.hero {
            div {
                h1 { "Light for long evenings" }
                p { "Six lamps, made to be repaired." }
                a.button href="/product/arc" { "See the Arc" }
            }
            img #hero src="/pictures/hero.svg" width="640" height="400" alt="Lamps that glow in the dark";
        }
        (shelf(&goods::GOODS.iter().collect::<Vec<_>>()))
    };
    page(frame, "Lamps", &content)
}

/// The page of the goods that a search found.
pub(super) fn search(frame: &Frame<'_>, term: &str) -> Markup {
    let found = goods::named(term);
    let content = html! {
        h1 { (found.len()) " found for “" (term) "”" }
        @if found.is_empty() { p { "Try “lamp”." } }
        (shelf(&found))
    };
    page(frame, "Search", &content)
}

/// One thing; a note above it comes late, and pushes all down.
pub(super) fn product(frame: &Frame<'_>, good: &Good) -> Markup {
    let content = html! {
        div #notice {}
        article.product data-event="view_item" data-item=(item(good)) data-value=(good.dollars()) {
            img src={ "/pictures/" (good.id) ".svg" } width="320" height="320" alt="";
            div {
                p.soft { (good.category) }
                h1 { (good.name) }
                p { (good.text) }
                p.price { "$" (good.dollars()) }
                p #stock .soft data-item=(good.id) { "In stock?" }
                form method="post" action="/cart" data-submit="add_to_cart" {
                    input type="hidden" name="item" value=(good.id);
                    button #add { "Add to cart" }
                }
            }
        }
    };
    page(frame, good.name, &content)
}

/// The cart; its voucher takes the browser long to check.
pub(super) fn cart(frame: &Frame<'_>, good: Option<&Good>) -> Markup {
    let content = html! {
        h1 { "Cart" }
        @if let Some(good) = good {
            (line(good))
            button #voucher type="button" { "Check voucher" }
            " "
            a #to-checkout .button href="/checkout" { "Checkout" }
        } @else {
            p { "It is empty." }
        }
    };
    page(frame, "Cart", &content)
}

/// The last look before the sale.
pub(super) fn checkout(frame: &Frame<'_>, good: Option<&Good>) -> Markup {
    let content = html! {
        h1 { "Checkout" }
        @if let Some(good) = good {
            div data-event="begin_checkout" data-item=(item(good)) data-value=(good.dollars()) { (line(good)) }
            form method="post" action="/checkout" {
                p { "Nothing is asked, nothing is charged." }
                button #buy { "Buy for $" (good.dollars()) }
            }
        } @else {
            p { "The cart is empty." }
        }
    };
    page(frame, "Checkout", &content)
}

/// The sale.
pub(super) fn thanks(frame: &Frame<'_>, sale: Option<(&Good, String)>) -> Markup {
    let content = html! {
        h1 { "Thank you" }
        @if let Some((good, order)) = sale {
            div data-event="purchase" data-order=(order) data-item=(item(good)) data-value=(good.dollars()) { (line(good)) }
            p { "Order " strong { (order) } }
        } @else {
            p { "Nothing was bought yet." }
        }
    };
    page(frame, "Thank you", &content)
}

/// Nothing.
pub(super) fn missing(frame: &Frame<'_>) -> Markup {
    page(
        frame,
        "Not here",
        &html! { h1 { "Not here" } p { a href="/" { "All lamps" } } },
    )
}

fn shelf(found: &[&Good]) -> Markup {
    html! {
        ul.shelf {
            @for good in found {
                li {
                    a href={ "/product/" (good.id) } {
                        img src={ "/pictures/" (good.id) ".svg" } width="160" height="160" alt="" loading="lazy";
                        span { (good.name) }
                        span.price { "$" (good.dollars()) }
                    }
                }
            }
        }
    }
}

fn line(good: &Good) -> Markup {
    html! { p.line { span { "1 × " (good.name) } span.price { "$" (good.dollars()) } } }
}

/// The thing as an item of GA4's ecommerce.
fn item(good: &Good) -> String {
    serde_json::json!({
        "item_id": good.id,
        "item_name": good.name,
        "item_category": good.category,
        "price": f64::from(good.cents) / 100.0,
        "quantity": 1,
    })
    .to_string()
}
