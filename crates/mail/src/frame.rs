//! The looks of the HTML of all mails.

use maud::{DOCTYPE, Markup, html};

/// The colour of what is no alert.
pub const PLAIN: u32 = 0x1565c0;

/// A whole mail: its title, its cards, and why its reader gets it.
#[must_use]
pub fn page(title: &str, content: &Markup, reason: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
            }
            body style="margin:0;padding:24px;font-family:system-ui,sans-serif;color:#1c1c1c;background:#f4f4f4" {
                (content)
                p style="max-width:600px;margin:16px auto;font-size:13px;color:#5c5c5c" { (reason) }
            }
        }
    };
    page.into_string()
}

/// A card with a bar of that colour: red, green and blue.
#[must_use]
pub fn card(colour: u32, title: &str, content: &Markup) -> Markup {
    let colour = format!("#{colour:06x}");
    html! {
        div style={
            "max-width:568px;margin:0 auto 16px;padding:16px;background:#fff;border-left:4px solid " (colour)
        } {
            h1 style="margin:0 0 8px;font-size:18px" { (title) }
            (content)
        }
    }
}

/// A paragraph of a card.
#[must_use]
pub fn paragraph(content: &Markup) -> Markup {
    html! { p style="margin:0 0 8px;font-size:15px;line-height:1.45" { (content) } }
}

/// The last line of a card.
#[must_use]
pub fn small_print(text: &str) -> Markup {
    html! { p style="margin:0;font-size:13px;color:#5c5c5c" { (text) } }
}
