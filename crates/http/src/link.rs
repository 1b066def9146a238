//! The link from a page of a list to the next one (RFC 8288).

use actix_web::{HttpRequest, http::header::HeaderValue};

use crate::spec::{PageBy, Paging};

/// The value of the header `Link`: the request's own address with the position of the next page in the place of its own.
/// `None` where the list is not paged.
pub(crate) fn next(
    base_url: &str,
    request: &HttpRequest,
    paging: Paging,
    position: &str,
) -> Option<HeaderValue> {
    let parameter = match paging.asks_for()? {
        PageBy::Cursor => "cursor",
        PageBy::Offset => "offset",
    };
    // Written anew, so that no character of the request's query ends the link.
    let others =
        form_urlencoded::parse(request.query_string().as_bytes()).filter(|(name, _)| name != parameter);
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(others)
        .append_pair(parameter, position)
        .finish();
    let path = request.path();
    HeaderValue::from_str(&format!("<{base_url}{path}?{query}>; rel=\"next\"")).ok()
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    const BY_OFFSET: Paging = Paging::Offset {
        max: 100,
        default: 50,
    };

    fn link(target: &str, paging: Paging) -> Option<String> {
        let request = TestRequest::with_uri(target).to_http_request();
        let link = next("https://pharos.example", &request, paging, "7")?;
        Some(link.to_str().unwrap().to_owned())
    }

    #[test]
    fn the_next_page_is_asked_for_as_this_one_was() {
        for (target, paging, expected) in [
            ("/a", Paging::cursor(100), "/a?cursor=7"),
            (
                "/a?limit=5&cursor=x&days=7",
                Paging::cursor(100),
                "/a?limit=5&days=7&cursor=7",
            ),
            (
                "/a?curs%6Fr=x&q=a%26b+c",
                Paging::cursor(100),
                "/a?q=a%26b+c&cursor=7",
            ),
            ("/a?q=%3E;%22", Paging::cursor(100), "/a?q=%3E%3B%22&cursor=7"),
            (
                "/a?step=1&step=2",
                Paging::cursor(100),
                "/a?step=1&step=2&cursor=7",
            ),
            ("/a?offset=2&limit=5", BY_OFFSET, "/a?limit=5&offset=7"),
        ] {
            let expected = format!("<https://pharos.example{expected}>; rel=\"next\"");
            assert_eq!(link(target, paging).as_deref(), Some(&*expected), "{target}");
        }
        assert_eq!(link("/a", Paging::Single), None);
    }
}
