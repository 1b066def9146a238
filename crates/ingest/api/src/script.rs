//! The tracker of a site.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        StatusCode,
        header::{self, HeaderValue, IfNoneMatch},
    },
    web,
};
use bytes::Bytes;
use pharos_domain::{collect::site::SiteKey, hex::hex};
use pharos_http::{answer, source::source_of};
use pharos_ingest::script::script;
use ring::digest::{SHA256, digest};

use crate::{
    collection::{Collection, finish},
    refusals::{problem, unknown_site},
};

/// How long browsers keep it: so long may a change of the settings take.
const KEPT: &str = "public, max-age=300";

/// The script, or 304 where the browser has it.
pub(crate) async fn get(
    request: HttpRequest,
    file: web::Path<String>,
    if_none_match: Option<web::Header<IfNoneMatch>>,
    collection: web::Data<Collection>,
) -> HttpResponse {
    let Some(key) = file.strip_suffix(".js") else {
        return collection.refuse(&request, &unknown_site());
    };
    let (key, source) = (SiteKey(key.to_owned()), source_of(&request, collection.hops));
    let known = match collection.collector.site(&key, source).await {
        Ok(Some(known)) => known,
        Ok(None) => return collection.refuse(&request, &unknown_site()),
        Err(refusal) => return collection.refuse(&request, &problem(refusal)),
    };
    let script = script(&known);
    let tag = header::EntityTag::new_weak(tag(script.as_bytes()));
    let is_there = if_none_match.is_some_and(|web::Header(wanted)| match wanted {
        IfNoneMatch::Any => true,
        IfNoneMatch::Items(tags) => tags.iter().any(|given| given.weak_eq(&tag)),
    });
    let mut response = if is_there {
        HttpResponse::NotModified().finish()
    } else {
        answer::small_text(
            &request,
            StatusCode::OK,
            Bytes::from(script),
            "text/javascript; charset=utf-8",
        )
    };
    finish(&mut response);
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(KEPT));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    // Pages that isolate themselves load it, too.
    headers.insert(
        header::CROSS_ORIGIN_RESOURCE_POLICY,
        HeaderValue::from_static("cross-origin"),
    );
    if let Ok(tag) = HeaderValue::from_str(&tag.to_string()) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// Another for each script.
fn tag(script: &[u8]) -> String {
    let digest = digest(&SHA256, script);
    hex(&digest.as_ref()[..16])
}
