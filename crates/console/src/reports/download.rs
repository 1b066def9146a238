//! The file of a report.

use actix_web::{HttpRequest, HttpResponse, web};
use pharos_artefacts::links::GOOD_FOR;
use pharos_domain::{ids::RunId, role::Role};
use pharos_reporting::results::key;

use super::made::is_kept;
use crate::{console::Console, page::go, refusal::Refusal};

/// GET /console/domains/{domain_id}/reports/runs/{run_id}: leads to the file, by a link that is good for a while.
pub(crate) async fn download(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let (domain, run) = path.into_inner();
    let here = console.at_domain(&request, &domain, Role::Viewer).await?;
    let run: RunId = run.parse().map_err(|_| Refusal::NoPage)?;
    let (parts, now) = (&console.parts, console.parts.clock.now());
    let found = parts.reports.runs.find(&here.access, run, now).await?;
    let found = found.filter(is_kept).ok_or(Refusal::NoPage)?;
    let key = key(&found).map_err(|_| Refusal::NoPage)?;
    let until = now + GOOD_FOR;
    let kept_until = found.run.expires_at.unwrap_or(until);
    let (link, _) = parts.links.link_until(&key, until.min(kept_until));
    Ok(go(&link))
}
