//! Resources that tokens are for (RFC 8707), and who accepts them.

/// The resources of this installation, and its name as an issuer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resources {
    /// `{base_url}`: who issues tokens.
    pub issuer: String,
    /// The REST API.
    pub api: String,
    /// The MCP server.
    pub mcp: String,
}

/// Who is asked to accept a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceServer {
    /// The REST API: accepts tokens for itself and for the MCP server, which hands its callers' tokens on.
    Api,
    /// The MCP server: accepts its own alone.
    Mcp,
}

impl Resources {
    /// The resources of an installation at `base_url`, which ends without a slash.
    #[must_use]
    pub fn at(base_url: &str) -> Self {
        Self {
            issuer: base_url.to_owned(),
            api: base_url.to_owned(),
            mcp: format!("{base_url}/mcp"),
        }
    }

    /// The one that `text` names. A slash at the end makes no difference: clients that parse `https://host` write
    /// `https://host/` (RFC 3986, section 6.2.3).
    #[must_use]
    pub fn find(&self, text: &str) -> Option<&str> {
        let text = text.strip_suffix('/').unwrap_or(text);
        [&self.api, &self.mcp]
            .into_iter()
            .find(|resource| *resource == text)
            .map(String::as_str)
    }

    /// Whether a token that was made for `audience` is accepted at `server`.
    #[must_use]
    pub fn accepts(&self, server: ResourceServer, audience: &str) -> bool {
        match server {
            ResourceServer::Api => audience == self.api || audience == self.mcp,
            ResourceServer::Mcp => audience == self.mcp,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The specification's table of resource binding.
    #[test]
    fn the_api_accepts_both_audiences_and_the_mcp_server_its_own() {
        let resources = Resources::at("https://pharos.example");
        for (server, audience, accepted) in [
            (ResourceServer::Api, "https://pharos.example", true),
            (ResourceServer::Mcp, "https://pharos.example", false),
            (ResourceServer::Api, "https://pharos.example/mcp", true),
            (ResourceServer::Mcp, "https://pharos.example/mcp", true),
            (ResourceServer::Api, "https://other.example", false),
            (ResourceServer::Mcp, "https://other.example", false),
            (ResourceServer::Api, "https://pharos.example/", false),
        ] {
            assert_eq!(
                resources.accepts(server, audience),
                accepted,
                "{server:?} {audience}"
            );
        }
    }
}
