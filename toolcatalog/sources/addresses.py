"""Which addresses of the Internet a request to a foreign server may go to (T13)."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

_REFUSED = tuple(
    ip_network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # behind a carrier's address translation
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link-local, where clouds keep their metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # special purposes
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
        "::/8",  # unspecified, loopback, IPv4 in IPv6
        "64:ff9b::/96",  # NAT64: IPv4 in IPv6
        "64:ff9b:1::/48",  # NAT64, local
        "100::/64",  # discarded
        "2001::/23",  # special purposes, among them Teredo
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: IPv4 in IPv6
        "3fff::/20",  # documentation
        "5f00::/16",  # segment routing
        "fc00::/7",  # private
        "fe80::/10",  # link-local
        "fec0::/10",  # private, the old form
        "ff00::/8",  # multicast
    )
)


def is_ip_address(text: str) -> bool:
    """Whether the text is an IP address in its usual form, without the name of an interface."""
    try:
        return getattr(ip_address(text), "scope_id", None) is None
    except ValueError:
        return False


def is_public_address(text: str) -> bool:
    """Whether the IP address is one that anybody on the Internet can reach, and carries no other address in itself.

    Written out rather than asked of `ipaddress`, whose idea of "global" differs between versions of Python.
    """
    if not is_ip_address(text):
        return False
    address = ip_address(text)
    return not any(address in network for network in _REFUSED if network.version == address.version)
