package gate

import "net/netip"

// special are the ranges that are not the public internet: what answers there
// is this machine, this network, or a cloud's metadata. netip's own predicates
// miss many of them. Sources: the IANA IPv4 and IPv6 special-purpose address
// registries, and the clouds' documentation where named.
var special = []struct {
	prefix netip.Prefix
	is     string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "this network"},
	{netip.MustParsePrefix("10.0.0.0/8"), "a private range"},
	{netip.MustParsePrefix("100.64.0.0/10"), "a shared range of providers"}, // and Alibaba's metadata
	{netip.MustParsePrefix("127.0.0.0/8"), "the loopback"},
	{netip.MustParsePrefix("168.63.129.16/32"), "Azure's host"},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local, where clouds serve credentials"},
	{netip.MustParsePrefix("172.16.0.0/12"), "a private range"},
	{netip.MustParsePrefix("192.0.0.0/24"), "a range for protocols"}, // and Oracle's metadata
	{netip.MustParsePrefix("192.0.2.0/24"), "a range for documentation"},
	{netip.MustParsePrefix("192.88.99.0/24"), "a 6to4 relay"},
	{netip.MustParsePrefix("192.168.0.0/16"), "a private range"},
	{netip.MustParsePrefix("198.18.0.0/15"), "a range for benchmarks"},
	{netip.MustParsePrefix("198.51.100.0/24"), "a range for documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "a range for documentation"},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast"},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved or broadcast"},
	{netip.MustParsePrefix("::/96"), "unspecified, loopback or an embedded IPv4 address"},
	{netip.MustParsePrefix("::ffff:0:0:0/96"), "a translated IPv4 address"},
	{netip.MustParsePrefix("64:ff9b::/96"), "a translated IPv4 address"}, // NAT64: could be 127.0.0.1
	{netip.MustParsePrefix("64:ff9b:1::/48"), "a translated IPv4 address"},
	{netip.MustParsePrefix("100::/64"), "a discard range"},
	{netip.MustParsePrefix("2001::/23"), "a range for protocols"}, // Teredo among them
	{netip.MustParsePrefix("2001:db8::/32"), "a range for documentation"},
	{netip.MustParsePrefix("2002::/16"), "6to4, an embedded IPv4 address"},
	{netip.MustParsePrefix("3fff::/20"), "a range for documentation"},
	{netip.MustParsePrefix("5f00::/16"), "a range for segment routing"},
	{netip.MustParsePrefix("fc00::/7"), "a private range"}, // and Amazon's metadata
	{netip.MustParsePrefix("fe80::/10"), "link-local"},
	{netip.MustParsePrefix("fec0::/10"), "site-local"},
	{netip.MustParsePrefix("ff00::/8"), "multicast"},
}

// Refusal says why a may not be dialled, and is "" when it may: it is a public
// address, or lies in one of the ranges that the spec lists. An IPv4 address in
// IPv6 clothes is judged as what it is.
func Refusal(a netip.Addr, private []netip.Prefix) string {
	if !a.IsValid() {
		return "no address"
	}
	a = a.Unmap().WithZone("")
	for _, p := range private {
		if p.Contains(a) {
			return ""
		}
	}
	for _, s := range special {
		if s.prefix.Contains(a) {
			return s.is + "; list it in network.private if it is meant"
		}
	}
	return ""
}
