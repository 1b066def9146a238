//! GET /domains/{domain_id}/gsc/search-appearances

use pharos_domain::{identity::DomainAccess, module_block::SearchFigures, page::Page};
use pharos_http::{
    extract::{port::Port, query::Query, window::FixedWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging, Window},
};
use pharos_search::gsc::{days::DayReads, figures::Figures, property::PropertyStore};
use serde::Serialize;
use utoipa::ToSchema;

use super::parts::{BASE, EXAMPLE, OfSearchType, WindowRoot, linked};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listGscSearchAppearances",
    path: "/domains/{domain_id}/gsc/search-appearances",
    summary: "The looks that results had",
    description: "Over the last 28 days, the looks with the most clicks first, counted by page. A result may have several looks, so rows do \
                  not add up.",
    paging: Paging::Single,
    window: Window::Fixed,
    ..BASE
};

pub(super) async fn list(
    access: DomainAccess,
    FixedWindow(asked): FixedWindow<28>,
    Query(OfSearchType { search_type }): Query<OfSearchType>,
    properties: Port<dyn PropertyStore>,
    days: Port<dyn DayReads>,
) -> ApiResult<Page<AppearancePublic, WindowRoot>> {
    let property = linked(&access, &properties).await?;
    let found = days.appearances(&access, search_type, asked.window).await?;
    let items = found.into_iter().map(AppearancePublic::from).collect();
    Ok(Page::single(items).with(WindowRoot::new(search_type, &property, &asked)))
}

/// A look of results.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchAppearance)]
pub(super) struct AppearancePublic {
    /// The upstream's name in lower case, such as `review_snippet`. There may be new ones at any time.
    search_appearance: String,
    /// Its name for people.
    label: String,
    #[serde(flatten)]
    figures: SearchFigures,
}

impl From<(String, Figures)> for AppearancePublic {
    fn from((name, figures): (String, Figures)) -> Self {
        Self {
            label: label(&name),
            search_appearance: name,
            figures: figures.into(),
        }
    }
}

/// The name that Search Console shows; of a look that is not known, its words.
fn label(name: &str) -> String {
    let known = match name {
        "amp_blue_link" => "AMP non-rich result",
        "amp_top_stories" => "AMP on top stories",
        "android_app" => "Android app",
        "forums" => "Discussion forum",
        "job_details" => "Job details",
        "job_listing" => "Job listing",
        "learning_videos" => "Learning videos",
        "math_solvers" => "Math solvers",
        "merchant_listings" => "Merchant listings",
        "organization" => "Organization",
        "page_experience" => "Good page experience",
        "practice_problems" => "Practice problems",
        "product_snippets" => "Product snippets",
        "recipe_feature" => "Recipe gallery",
        "recipe_rich_snippet" => "Recipe rich results",
        "review_snippet" => "Review snippet",
        "richcard" => "Rich results",
        "special_announcement" => "Special announcements",
        "subscribed_content" => "Subscribed content",
        "tpf_faq" => "FAQ rich results",
        "tpf_howto" => "How-to rich results",
        "tpf_qa" => "Q&A rich results",
        "translated_result" => "Translated results",
        "video" => "Videos",
        "weblite" => "Web Light results",
        _ => return in_words(name),
    };
    known.to_owned()
}

fn in_words(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

impl Example for AppearancePublic {
    fn example() -> Self {
        Self {
            search_appearance: "review_snippet".to_owned(),
            label: label("review_snippet"),
            figures: EXAMPLE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_that_is_not_known_has_its_words() {
        for (name, expected) in [
            ("forums", "Discussion forum"),
            ("new_look_2", "New look 2"),
            ("", ""),
        ] {
            assert_eq!(label(name), expected);
        }
    }
}
