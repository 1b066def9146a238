//! Looks up the addresses of a name, A and AAAA at once, and its texts; every failure has a name of its own.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use futures_util::future::{Either, select};
use hickory_resolver::TokioResolver;
use hickory_resolver::config::{
    ConnectionConfig, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts,
};
use hickory_resolver::lookup::Lookup;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::{Name, RData, Record, RecordType};
use tokio::time::{Instant, timeout, timeout_at};
use url::Host;

/// Looks up names.
///
/// It keeps no answers: an address is judged when it is connected to, and a check measures what a first-time visitor would
/// meet. It uses no search domains, so `example` is never taken for `example.corp.internal`.
#[derive(Clone)]
pub struct NameResolver(TokioResolver);

/// An address of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostAddress {
    /// The address itself.
    pub ip: IpAddr,
    /// Whether the address is the host's own, and not that of another name which the host is an alias of. If that name belongs
    /// to the network that this runs in, the owner of the alias does not know its address.
    pub is_own: bool,
}

/// The name servers could not be set up.
#[derive(Debug, thiserror::Error)]
#[error("the name resolver could not be set up")]
pub struct ResolverSetupError(#[source] NetError);

/// Why a name has no addresses, in order of precedence: if both families fail, the lesser reason is returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum ResolveError {
    /// The name does not exist.
    #[error("the host name does not exist")]
    NoSuchName,
    /// The name servers failed, or can't be reached.
    #[error("the name servers could not answer for the host name")]
    ServerFailed,
    /// The name servers were silent.
    #[error("the name servers did not answer in time")]
    Timeout,
    /// The name exists and has no address.
    #[error("the host name has neither an A nor an AAAA record")]
    NoAddress,
    /// No name server can be queried for it: a label is too long, for instance.
    #[error("the host name is not one that DNS can hold")]
    NotAName,
}

impl NameResolver {
    /// Queries the name servers of the operating system's configuration, and its hosts file before them.
    ///
    /// # Errors
    /// If that configuration cannot be read.
    pub fn system() -> Result<Self, ResolverSetupError> {
        let mut builder = TokioResolver::builder_tokio().map_err(ResolverSetupError)?;
        keep_nothing(builder.options_mut());
        builder.build().map(Self).map_err(ResolverSetupError)
    }

    /// Queries these name servers, and no hosts file.
    ///
    /// # Errors
    /// If the resolver cannot be built.
    pub fn with_servers(servers: &[SocketAddr]) -> Result<Self, ResolverSetupError> {
        let servers = servers.iter().map(|server| {
            let connections = [ConnectionConfig::udp(), ConnectionConfig::tcp()].map(|mut connection| {
                connection.port = server.port();
                connection
            });
            NameServerConfig::new(server.ip(), true, connections.into())
        });
        let config = ResolverConfig::from_name_servers(servers.collect());
        let mut builder = TokioResolver::builder_with_config(config, TokioRuntimeProvider::default());
        keep_nothing(builder.options_mut());
        builder.options_mut().use_hosts_file = ResolveHosts::Never;
        builder.build().map(Self).map_err(ResolverSetupError)
    }

    /// All addresses of a host, families alternating and IPv6 first, each in the order of the answer. A host that is
    /// an address stands for itself.
    ///
    /// With addresses of one family at hand, those of the other are waited for no longer than `grace`.
    ///
    /// # Errors
    /// There is no address.
    pub async fn addresses(
        &self,
        host: &Host<&str>,
        grace: Duration,
        deadline: Instant,
    ) -> Result<Vec<IpAddr>, ResolveError> {
        let found = self.host_addresses(host, grace, deadline).await?;
        Ok(found.into_iter().map(|found| found.ip).collect())
    }

    /// The addresses, each with whether it is the host's own.
    ///
    /// # Errors
    /// There is no address.
    pub async fn host_addresses(
        &self,
        host: &Host<&str>,
        grace: Duration,
        deadline: Instant,
    ) -> Result<Vec<HostAddress>, ResolveError> {
        let itself = |ip| vec![HostAddress { ip, is_own: true }];
        let name = match host {
            Host::Domain(name) => name.strip_suffix('.').unwrap_or(name),
            Host::Ipv4(ip) => return Ok(itself(IpAddr::V4(*ip))),
            Host::Ipv6(ip) => return Ok(itself(IpAddr::V6(*ip))),
        };
        let name = Name::from_ascii(format!("{name}.")).map_err(|_| ResolveError::NotAName)?;
        let both = both_families(
            self.family(name.clone(), RecordType::AAAA),
            self.family(name, RecordType::A),
            grace,
        );
        match timeout_at(deadline, both).await {
            Ok(found) => found.map(|(v6, v4)| alternate(v6, v4)),
            Err(_) => Err(ResolveError::Timeout),
        }
    }

    /// The texts of a name's TXT records, the parts of each put together; empty if the name does not exist or has none.
    ///
    /// # Errors
    /// It is not known which there are.
    pub async fn texts(&self, name: &str, deadline: Instant) -> Result<Vec<Vec<u8>>, ResolveError> {
        let name = name.strip_suffix('.').unwrap_or(name);
        let name = Name::from_ascii(format!("{name}.")).map_err(|_| ResolveError::NotAName)?;
        let lookup = timeout_at(deadline, self.0.lookup(name, RecordType::TXT))
            .await
            .map_err(|_| ResolveError::Timeout)?;
        match lookup.map_err(|error| ResolveError::of(&error)) {
            Ok(lookup) => Ok(lookup.answers().iter().filter_map(text_of).collect()),
            Err(ResolveError::NoSuchName | ResolveError::NoAddress) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    async fn family(&self, name: Name, family: RecordType) -> Result<Vec<HostAddress>, ResolveError> {
        let lookup = self
            .0
            .lookup(name.clone(), family)
            .await
            .map_err(|error| ResolveError::of(&error))?;
        let addresses = addresses_in(&lookup, &name, family);
        if addresses.is_empty() {
            Err(ResolveError::NoAddress)
        } else {
            Ok(addresses)
        }
    }
}

impl std::fmt::Debug for NameResolver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NameResolver")
    }
}

impl ResolveError {
    fn of(error: &NetError) -> Self {
        match error {
            NetError::Dns(DnsError::NoRecordsFound(none)) => match none.response_code {
                ResponseCode::NXDomain => Self::NoSuchName,
                _ => Self::NoAddress,
            },
            NetError::Timeout => Self::Timeout,
            _ => Self::ServerFailed,
        }
    }
}

/// Waits for both families, unless the first answer makes the second one needless: a name that does not
/// exist has neither, and with addresses of one family at hand the other gets only a short grace.
async fn both_families(
    v6: impl Future<Output = Result<Vec<HostAddress>, ResolveError>>,
    v4: impl Future<Output = Result<Vec<HostAddress>, ResolveError>>,
    grace: Duration,
) -> Result<(Vec<HostAddress>, Vec<HostAddress>), ResolveError> {
    let (v6, v4) = (std::pin::pin!(v6), std::pin::pin!(v4));
    let (v6, v4) = match select(v6, v4).await {
        Either::Left((v6, v4)) => {
            let v4 = second_after(&v6, v4, grace).await;
            (v6, v4)
        }
        Either::Right((v4, v6)) => (second_after(&v4, v6, grace).await, v4),
    };
    match (v6, v4) {
        (Err(v6), Err(v4)) => Err(v6.min(v4)),
        (v6, v4) => Ok((v6.unwrap_or_default(), v4.unwrap_or_default())),
    }
}

async fn second_after(
    first: &Result<Vec<HostAddress>, ResolveError>,
    second: impl Future<Output = Result<Vec<HostAddress>, ResolveError>>,
    grace: Duration,
) -> Result<Vec<HostAddress>, ResolveError> {
    match first {
        Ok(_) => timeout(grace, second).await.unwrap_or(Err(ResolveError::Timeout)),
        Err(ResolveError::NoSuchName) => Err(ResolveError::NoSuchName),
        Err(_) => second.await,
    }
}

fn addresses_in(lookup: &Lookup, name: &Name, family: RecordType) -> Vec<HostAddress> {
    let address = |data: &RData| match (data, family) {
        (RData::A(ip), RecordType::A) => Some(IpAddr::V4(ip.0)),
        (RData::AAAA(ip), RecordType::AAAA) => Some(IpAddr::V6(ip.0)),
        _ => None,
    };
    lookup
        .answers()
        .iter()
        .filter_map(|record| {
            let is_own = record.name == *name;
            address(&record.data).map(|ip| HostAddress { ip, is_own })
        })
        .collect()
}

fn text_of(record: &Record) -> Option<Vec<u8>> {
    match &record.data {
        RData::TXT(text) => Some(text.txt_data.concat()),
        _ => None,
    }
}

fn alternate<T>(first: Vec<T>, second: Vec<T>) -> Vec<T> {
    let mut all = Vec::with_capacity(first.len() + second.len());
    let (mut first, mut second) = (first.into_iter(), second.into_iter());
    loop {
        let (one, other) = (first.next(), second.next());
        if one.is_none() && other.is_none() {
            return all;
        }
        all.extend(one.into_iter().chain(other));
    }
}

fn keep_nothing(options: &mut ResolverOpts) {
    options.cache_size = 0;
    options.positive_max_ttl = Some(Duration::ZERO);
    options.negative_max_ttl = Some(Duration::ZERO);
    // This is per connection to a name server. The default of 32 would make the lookups of a busy schedule wait for each other.
    options.max_active_requests = 1024;
}

#[cfg(test)]
mod tests {
    use super::alternate;

    #[test]
    fn families_alternate_until_one_runs_out() {
        let all = alternate(vec!["2a00::1", "2a00::2", "2a00::3"], vec!["8.8.8.8"]);
        assert_eq!(all, ["2a00::1", "8.8.8.8", "2a00::2", "2a00::3"]);
    }
}
