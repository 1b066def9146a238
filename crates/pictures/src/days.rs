//! Days side by side, such as the 90 of a status page.

use maud::{Markup, html};

use crate::{
    calendar::Tone,
    picture::{Caption, across},
};

const HEIGHT: f64 = 34.0;

/// A bar a day: how it is judged, and its figures in words. A day that is not as it should be has a notch, too.
#[must_use]
pub fn strip(id: &str, title: &str, description: &str, days: &[(Tone, String)]) -> Markup {
    let wide = 1.0 / days.len().max(1) as f64;
    let caption = Caption {
        id,
        title,
        description,
    };
    let inside = html! {
        @for (at, (tone, told)) in days.iter().enumerate() {
            @let x = at as f64 * wide;
            // Those that are bad stand out by their height.
            @let top = match tone { Tone::Bad => 0.0, Tone::Part => 3.0, Tone::Good | Tone::None => 6.0 };
            rect.day.(tone.class()) x=(across(x)) y=(top) width=(across(wide * 0.72)) height=(HEIGHT - top) {
                title { (told) }
            }
        }
    };
    html! { div.picture-box { (caption.svg(HEIGHT, &inside)) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_stand_side_by_side() {
        let days = [(Tone::Good, "1 <".to_owned()), (Tone::Bad, "2".to_owned())];
        let drawn = strip("days", "Days", "Two.", &days).into_string();
        assert!(
            drawn.contains(r#"tone-good" x="0%" y="6" width="36%" height="28""#),
            "{drawn}"
        );
        assert!(drawn.contains(r#"tone-bad" x="50%" y="0""#) && drawn.contains("1 &lt;"));
        assert!(!strip("none", "None", "", &[]).into_string().contains("NaN"));
    }
}
