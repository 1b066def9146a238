//! The topic of ntfy that a URL leads to.

use url::Url;

/// The server and the name of the topic that a URL leads to. JSON is published to the server.
pub(super) fn topic(url: &Url) -> Option<(Url, String)> {
    let name = url.path_segments()?.next_back().filter(|name| !name.is_empty())?;
    let is_topic = name.len() <= 64
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    let name = is_topic.then(|| name.to_owned())?;
    let mut server = url.clone();
    server.path_segments_mut().ok()?.pop();
    Some((server, name))
}
