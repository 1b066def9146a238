//! A registry on this machine, which plays IANA as well.

use std::net::SocketAddr;

use pharos_egress::{
    address_policy::AddressPolicy,
    resolver::NameResolver,
    testing::server::{Server, Step, answer, path_of},
    trust::TrustAnchors,
};
use pharos_uptime::registration::{
    Registration,
    rdap::{RdapClient, RdapError},
};
use serde_json::{Value, json};
use time::{OffsetDateTime, macros::datetime};
use tokio::net::TcpListener;

/// When tests take place.
pub(crate) const NOW: OffsetDateTime = datetime!(2026-03-31 09:15:00 UTC);

/// The path that is asked for shop.example.
pub(crate) const SHOP: &str = "/rdap/domain/shop.example";

/// A server with a list of services, on which it alone answers for `example`.
pub(crate) struct Registry {
    pub(crate) server: Server,
    pub(crate) client: RdapClient,
}

impl Registry {
    /// The script is given the server's address and the path of a request.
    pub(crate) async fn start(
        script: impl Fn(SocketAddr, &str) -> Vec<Step> + Send + Sync + 'static,
    ) -> Self {
        Self::serve(move |address, path| match path {
            "/dns.json" => vec![Step::Send(list(&format!("http://{address}/rdap/")))],
            path => script(address, path),
        })
        .await
    }

    /// A server that has no list.
    pub(crate) async fn without_list() -> Self {
        Self::serve(|_, _| vec![Step::Send(answer(404, &closing(&[]), ""))]).await
    }

    async fn serve(script: impl Fn(SocketAddr, &str) -> Vec<Step> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = Server::start_with(listener, None, move |head| script(address, path_of(head)));
        let policy = AddressPolicy::public().permitting_exactly(address);
        let bootstrap = server.url("/dns.json").parse().unwrap();
        let resolver = NameResolver::with_servers(&[]).unwrap();
        let client = RdapClient::new(resolver, policy, &TrustAnchors::web(), bootstrap).unwrap();
        Self { server, client }
    }

    /// Answers whatever is asked with this.
    pub(crate) async fn answering(
        status: u16,
        headers: &'static [(&'static str, &'static str)],
        body: &str,
    ) -> Self {
        let sent = answer(status, &closing(headers), body);
        Self::start(move |_, _| vec![Step::Send(sent.clone())]).await
    }

    /// Answers with this object.
    pub(crate) async fn showing(object: &Value) -> Self {
        Self::answering(
            200,
            &[("content-type", "application/rdap+json")],
            &object.to_string(),
        )
        .await
    }

    /// Asks for shop.example.
    pub(crate) async fn ask(&self) -> Result<Option<Registration>, RdapError> {
        self.ask_for("shop.example").await
    }

    pub(crate) async fn ask_for(&self, name: &str) -> Result<Option<Registration>, RdapError> {
        self.client.ask(&name.parse().unwrap(), NOW).await
    }

    /// The paths that were asked for so far.
    pub(crate) fn paths(&self) -> Vec<String> {
        self.server
            .heads()
            .iter()
            .map(|head| path_of(head).to_owned())
            .collect()
    }
}

/// IANA's file with one service (RFC 9224, section 4).
pub(crate) fn list(base: &str) -> Vec<u8> {
    let list = json!({
        "version": "1.0",
        "publication": "2026-03-01T00:00:00Z",
        "services": [[["test"], ["https://rdap.nic.test/"]], [["example"], [base]]],
    });
    answer(200, &closing(&[]), list.to_string())
}

/// An answer of a registry for a generic top-level domain, in the shape of ICANN's RDAP response profile.
pub(crate) fn shop() -> Value {
    json!({
        "rdapConformance": ["rdap_level_0", "icann_rdap_response_profile_1"],
        "objectClassName": "domain",
        "handle": "2138514_DOMAIN-EX",
        "ldhName": "SHOP.EXAMPLE",
        "status": ["client transfer prohibited", "client delete prohibited"],
        "events": [
            { "eventAction": "registration", "eventDate": "2014-06-02T08:00:00Z" },
            { "eventAction": "expiration", "eventDate": "2027-06-02T08:00:00Z" },
            { "eventAction": "last changed", "eventDate": "2026-03-01T10:12:44Z" },
            { "eventAction": "last update of RDAP database", "eventDate": "2026-03-31T09:00:00Z" }
        ],
        "nameservers": [
            { "objectClassName": "nameserver", "ldhName": "NS2.SHOP.EXAMPLE" },
            { "objectClassName": "nameserver", "ldhName": "NS1.SHOP.EXAMPLE" }
        ],
        "secureDNS": { "delegationSigned": false },
        "entities": [
            {
                "objectClassName": "entity",
                "roles": ["registrant"],
                "vcardArray": ["vcard", [
                    ["version", {}, "text", "4.0"],
                    ["fn", {}, "text", "Joe User"],
                    ["email", {}, "text", "joe.user@example.com"]
                ]]
            },
            {
                "objectClassName": "entity",
                "handle": "9999",
                "roles": ["registrar"],
                "publicIds": [{ "type": "IANA Registrar ID", "identifier": "9999" }],
                "vcardArray": ["vcard", [
                    ["version", {}, "text", "4.0"],
                    ["fn", {}, "text", "Example Registrar"]
                ]],
                "links": [{ "rel": "about", "href": "https://registrar.example/" }],
                "entities": [{
                    "objectClassName": "entity",
                    "roles": ["abuse"],
                    "vcardArray": ["vcard", [
                        ["version", {}, "text", "4.0"],
                        ["fn", {}, "text", ""],
                        ["email", {}, "text", "abuse@registrar.example"]
                    ]]
                }]
            }
        ]
    })
}

/// These headers, and the end of the connection.
pub(crate) fn closing<'a>(headers: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut headers = headers.to_vec();
    headers.push(("connection", "close"));
    headers
}
