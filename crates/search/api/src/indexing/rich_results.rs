//! GET /domains/{domain_id}/indexing/rich-results

use pharos_domain::{identity::DomainAccess, module::Module, page::Page, problem::Suffix, scope::Scope};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Paging},
};
use pharos_search::indexing::{
    states::Severity,
    store::{
        reads::{IndexingReads, RichType},
        urls::IndexingUrls,
    },
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{monitored_alone, site};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listIndexingRichResults",
    path: "/domains/{domain_id}/indexing/rich-results",
    module: Module::Indexing,
    summary: "The types of rich results that Google found, with their issues",
    description: concat!(
        "Those with the most errors first. A URL counts once a type: with an error if any of its items has one, else with a warning \
         if any has one, else as valid. Markup that can't be parsed is in none of them. ",
        monitored_alone!()
    ),
    scope: Some(Scope::ReadIndexing),
    credits: Credits::Cheap,
    paging: Paging::Single,
    problems: &[Suffix::IndexingNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn list(
    access: DomainAccess,
    urls: Port<dyn IndexingUrls>,
    reads: Port<dyn IndexingReads>,
) -> ApiResult<Page<IndexingRichResultPublic>> {
    let _ = site(&*urls, &access).await?;
    let found = reads.rich_results(&access).await?;
    Ok(Page::single(
        found.into_iter().map(IndexingRichResultPublic::from).collect(),
    ))
}

/// A type of rich results over the monitored URLs.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingRichResultType)]
pub(crate) struct IndexingRichResultPublic {
    /// The type, as Google calls it.
    #[schema(example = "Product snippets")]
    r#type: String,
    /// URLs without warnings and errors.
    #[schema(minimum = 0)]
    urls_valid: u64,
    /// URLs with warnings alone.
    #[schema(minimum = 0)]
    urls_warning: u64,
    /// URLs with an error.
    #[schema(minimum = 0)]
    urls_error: u64,
    /// Rich results of the type: a URL may have several.
    #[schema(minimum = 0)]
    items_total: u64,
    /// The issues that most URLs have, errors first, 10 at most.
    top_issues: Vec<TopIssuePublic>,
}

/// An issue, and how many URLs have it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingTopIssue)]
pub(crate) struct TopIssuePublic {
    /// The issue, as Google says it in English.
    message: String,
    /// How grave it is.
    severity: Severity,
    /// How many URLs have it.
    #[schema(minimum = 0)]
    urls: u64,
}

impl From<RichType> for IndexingRichResultPublic {
    fn from(found: RichType) -> Self {
        let RichType {
            kind,
            valid,
            warning,
            error,
            items,
            top_issues,
        } = found;
        let issues = top_issues.into_iter();
        Self {
            r#type: kind,
            urls_valid: valid,
            urls_warning: warning,
            urls_error: error,
            items_total: items,
            top_issues: issues
                .map(|(message, severity, urls)| TopIssuePublic {
                    message,
                    severity,
                    urls,
                })
                .collect(),
        }
    }
}

impl Example for IndexingRichResultPublic {
    fn example() -> Self {
        Self {
            r#type: "Product snippets".to_owned(),
            urls_valid: 310,
            urls_warning: 42,
            urls_error: 3,
            items_total: 402,
            top_issues: vec![TopIssuePublic {
                message: "Missing field \"price\"".to_owned(),
                severity: Severity::Error,
                urls: 3,
            }],
        }
    }
}
