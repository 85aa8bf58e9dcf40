//! Addresses of machines: `192.168.1.77` is `192.168.1.0/24`, then `192.168.0.0/16`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use super::{Context, Generalizer, Rung};
use crate::EntityType;

static TYPES: LazyLock<Vec<EntityType>> =
    LazyLock::new(|| EntityType::new("IP_ADDRESS").into_iter().collect());

/// IP addresses of both versions.
pub struct IpAddresses;

impl Generalizer for IpAddresses {
    fn name(&self) -> &'static str {
        "ip_address"
    }

    fn types(&self) -> &[EntityType] {
        &TYPES
    }

    /// `subnet` is /24 or, in version 6, /64; `network` is /16 or /32.
    fn levels(&self) -> &'static [&'static str] {
        &["full", "subnet", "network"]
    }

    fn rungs(&self, surface: &str, _: &Context) -> Option<Vec<Rung>> {
        let (subnet, network) = match surface.trim().parse().ok()? {
            IpAddr::V4(address) => (prefix_4(address, 24), prefix_4(address, 16)),
            IpAddr::V6(address) => (prefix_6(address, 64), prefix_6(address, 32)),
        };
        Some(vec![Rung::new("full", surface), Rung::new("subnet", subnet), Rung::new("network", network)])
    }
}

fn prefix_4(address: Ipv4Addr, length: u32) -> String {
    let bits = u32::from(address) & (u32::MAX << (32 - length));
    format!("{}/{length}", Ipv4Addr::from(bits))
}

fn prefix_6(address: Ipv6Addr, length: u32) -> String {
    let bits = u128::from(address) & (u128::MAX << (128 - length));
    format!("{}/{length}", Ipv6Addr::from(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_the_network() {
        let texts = |surface| {
            let rungs = IpAddresses.rungs(surface, &Context::default()).unwrap_or_default();
            rungs.into_iter().skip(1).map(|rung| rung.text).collect::<Vec<_>>()
        };
        assert_eq!(texts("192.168.1.77"), ["192.168.1.0/24", "192.168.0.0/16"]);
        assert_eq!(texts("2001:db8:1:2::77"), ["2001:db8:1:2::/64", "2001:db8::/32"]);
        for surface in ["192.168.1", "1.2.3.4.5", "", "::g", "256.1.1.1"] {
            assert!(texts(surface).is_empty(), "{surface}");
        }
    }
}
