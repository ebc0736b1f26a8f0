//! Which network addresses a realm's server may have.
//!
//! A realm's URL may come from anyone who may register one, and what a name resolves to can change between
//! two lookups. So it is the addresses that are checked, in the resolver the connection itself uses.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use thiserror::Error;
use url::Host;

/// Which addresses may be connected to.
///
/// Whatever the policy, never: link-local, multicast, unspecified and reserved addresses, and the metadata
/// services of cloud providers. Of a name with several addresses only those allowed are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AddressPolicy {
    /// Addresses of the public internet.
    #[default]
    PublicOnly,
    /// Those and this machine's own: for a realm server next to us.
    AllowLoopback,
    /// Public ones and those of private networks, but not this machine's own services.
    AllowPrivate,
    /// Public, private and loopback.
    AllowLoopbackAndPrivate,
}

/// What kind of network an address belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    Public,
    Private,
    Loopback,
    Never,
}

impl AddressPolicy {
    /// Whether `address` may be connected to.
    pub fn allows(self, address: IpAddr) -> bool {
        match reach(address) {
            Reach::Public => true,
            Reach::Loopback => matches!(self, Self::AllowLoopback | Self::AllowLoopbackAndPrivate),
            Reach::Private => matches!(self, Self::AllowPrivate | Self::AllowLoopbackAndPrivate),
            Reach::Never => false,
        }
    }

    /// Checks a host that is an address itself: no resolver is asked for those. Names pass, for they are
    /// checked when they are resolved.
    pub(crate) fn check_literal(self, host: &Host<&str>) -> Result<(), AddressRefused> {
        let address = match host {
            Host::Domain(_) => return Ok(()),
            Host::Ipv4(address) => IpAddr::V4(*address),
            Host::Ipv6(address) => IpAddr::V6(*address),
        };
        if self.allows(address) {
            return Ok(());
        }
        Err(AddressRefused {
            host: host.to_string(),
            address,
            policy: self,
        })
    }
}

impl fmt::Display for AddressPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PublicOnly => "only public addresses are allowed",
            Self::AllowLoopback => "only public and loopback addresses are allowed",
            Self::AllowPrivate => "only public and private addresses are allowed",
            Self::AllowLoopbackAndPrivate => {
                "only public, private and loopback addresses are allowed"
            }
        })
    }
}

/// A host that may not be connected to.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the address {address} of {host} is not allowed ({policy}); use another host, or let the operator allow it"
)]
pub(crate) struct AddressRefused {
    host: String,
    address: IpAddr,
    policy: AddressPolicy,
}

/// The system's resolver, with what the policy forbids taken out.
#[derive(Debug)]
pub(crate) struct CheckedResolver(pub(crate) AddressPolicy);

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let policy = self.0;
        Box::pin(async move {
            // The port is filled in by the connector.
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let allowed = keep_allowed(policy, name.as_str(), found)?;
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

fn keep_allowed(
    policy: AddressPolicy,
    host: &str,
    found: Vec<SocketAddr>,
) -> Result<Vec<SocketAddr>, AddressRefused> {
    let first = found.first().map(SocketAddr::ip);
    let allowed: Vec<_> = found
        .into_iter()
        .filter(|address| policy.allows(address.ip()))
        .collect();
    match first {
        Some(address) if allowed.is_empty() => Err(AddressRefused {
            host: host.to_owned(),
            address,
            policy,
        }),
        _ => Ok(allowed),
    }
}

fn reach(address: IpAddr) -> Reach {
    match address.to_canonical() {
        IpAddr::V4(address) => reach_v4(address),
        IpAddr::V6(address) => reach_v6(address),
    }
}

/// By IANA's registry of special-purpose IPv4 addresses (RFC 6890).
fn reach_v4(address: Ipv4Addr) -> Reach {
    let [a, b, c, _] = address.octets();
    match (a, b, c) {
        // Metadata services that lie outside the link-local range: Azure, Alibaba.
        _ if address == Ipv4Addr::new(168, 63, 129, 16) => Reach::Never,
        _ if address == Ipv4Addr::new(100, 100, 100, 200) => Reach::Never,
        (127, ..) => Reach::Loopback,
        (10, ..) | (172, 16..=31, _) | (192, 168, _) => Reach::Private,
        // Shared by carriers and cluster networks (RFC 6598).
        (100, 64..=127, _) => Reach::Private,
        (0, ..) | (169, 254, _) | (192, 0, 0) => Reach::Never,
        // Benchmarks and documentation.
        (198, 18..=19, _) | (192, 0, 2) | (198, 51, 100) | (203, 0, 113) => Reach::Never,
        // The retired 6to4 relays, multicast, reserved, broadcast.
        (192, 88, 99) | (224..=255, ..) => Reach::Never,
        _ => Reach::Public,
    }
}

/// By IANA's registry of special-purpose IPv6 addresses: of what is not listed, only `2000::/3` is in use.
fn reach_v6(address: Ipv6Addr) -> Reach {
    let segments = address.segments();
    let embedded_v4 = |high: u16, low: u16| {
        let [[a, b], [c, d]] = [high.to_be_bytes(), low.to_be_bytes()];
        reach_v4(Ipv4Addr::new(a, b, c, d))
    };
    match segments {
        [0, 0, 0, 0, 0, 0, 0, 1] => Reach::Loopback,
        // Amazon's metadata service has a private address.
        [0xfd00, 0x0ec2, ..] => Reach::Never,
        [0xfc00..=0xfdff, ..] => Reach::Private,
        // A gateway hands these on to the IPv4 address inside: NAT64 (RFC 6052), 6to4 (RFC 3056).
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => embedded_v4(high, low),
        [0x2002, high, low, ..] => embedded_v4(high, low),
        // Teredo and other protocol assignments, documentation.
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Reach::Never,
        [0x2000..=0x3fff, ..] => Reach::Public,
        _ => Reach::Never,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_kind_of_address_has_its_reach() {
        for (reach_wanted, addresses) in [
            (
                Reach::Public,
                "1.1.1.1 172.32.0.1 100.128.0.1 192.0.1.1 2606:4700::1 ::ffff:8.8.8.8 64:ff9b::808:808",
            ),
            (
                Reach::Private,
                "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 fd12::1 fc00::1",
            ),
            (
                Reach::Private,
                "::ffff:10.0.0.1 64:ff9b::a00:1 2002:c0a8:1::1",
            ),
            (
                Reach::Loopback,
                "127.0.0.1 127.255.0.1 ::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::",
            ),
            (
                Reach::Never,
                "0.0.0.0 169.254.169.254 168.63.129.16 100.100.100.200 192.0.0.192 198.18.0.1",
            ),
            (
                Reach::Never,
                "192.0.2.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255",
            ),
            (
                Reach::Never,
                ":: ::127.0.0.1 fe80::1 fec0::1 ff02::1 2001:db8::1 2001::1 fd00:ec2::254 3fff::1",
            ),
            (
                Reach::Never,
                "::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 2002:a9fe:a9fe:: 64:ff9b:1::1 100::1",
            ),
        ] {
            for address in addresses.split(' ') {
                assert_eq!(reach(address.parse().unwrap()), reach_wanted, "{address}");
            }
        }
    }

    #[test]
    fn a_policy_allows_what_its_name_says() {
        use AddressPolicy::*;
        for (policy, public, loopback, private) in [
            (PublicOnly, true, false, false),
            (AllowLoopback, true, true, false),
            (AllowPrivate, true, false, true),
            (AllowLoopbackAndPrivate, true, true, true),
        ] {
            for (address, allowed) in [
                ("1.1.1.1", public),
                ("127.0.0.1", loopback),
                ("10.1.2.3", private),
                ("169.254.169.254", false),
            ] {
                assert_eq!(
                    policy.allows(address.parse().unwrap()),
                    allowed,
                    "{policy:?} {address}"
                );
            }
        }
    }

    #[test]
    fn a_name_keeps_the_addresses_that_are_allowed() {
        let found = |texts: &[&str]| {
            texts
                .iter()
                .map(|text| text.parse().unwrap())
                .collect::<Vec<_>>()
        };
        let mixed = found(&["127.0.0.1:0", "1.1.1.1:0", "[::1]:0"]);
        assert_eq!(
            keep_allowed(AddressPolicy::PublicOnly, "h", mixed).unwrap(),
            found(&["1.1.1.1:0"])
        );
        let error =
            keep_allowed(AddressPolicy::PublicOnly, "h", found(&["10.0.0.1:0"])).unwrap_err();
        assert!(error.to_string().contains("10.0.0.1 of h"), "{error}");
    }
}
