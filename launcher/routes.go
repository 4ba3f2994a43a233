package launcher

import (
	"net/netip"
	"slices"
	"strings"
)

// fakeRange holds the addresses that names get inside. RFC 2544 reserves it for
// benchmarks, so no real host is hidden by it; the first address is the
// sandbox's own.
var fakeRange = netip.MustParsePrefix("198.18.0.0/15")

// routes gives each allowed name an address inside. A name below localhost is
// the loopback address (RFC 6761), because curl and browsers do not look such a
// name up; so its port is taken on the sandbox's own loopback.
func (b *builder) routes() []Route {
	var private []netip.Prefix
	for _, p := range b.in.Workspace.Policy.Network.Private {
		prefix, err := netip.ParsePrefix(p.CIDR)
		if err != nil {
			b.fail(p.At, "plan network: %w", err)
			continue
		}
		private = append(private, prefix.Masked())
	}
	next := fakeRange.Addr().Next()
	addresses := map[string]netip.Addr{}
	taken := map[netip.AddrPort]string{}
	var out []Route
	for _, e := range b.in.Workspace.Policy.Network.Allow {
		a, ok := addresses[e.Host]
		if !ok && strings.HasSuffix(e.Host, ".localhost") {
			a = netip.MustParseAddr("127.0.0.1")
		} else if !ok {
			next = next.Next()
			a = next
		}
		addresses[e.Host] = a
		inside := netip.AddrPortFrom(a, e.Port)
		if other, ok := taken[inside]; ok {
			b.fail(e.At, "plan network: %s and %s would both be %s inside; list one of them", e.Host, other, inside)
			continue
		}
		taken[inside] = e.Host
		if a.IsLoopback() && !slices.ContainsFunc(private, func(p netip.Prefix) bool { return p.Contains(a) }) {
			b.fail(e.At, "plan network: %s is this machine's own loopback; to let the agent reach port %d of it, list \"127.0.0.1/32\" in network.private", e.Host, e.Port)
		}
		out = append(out, Route{Name: e.Host, Port: e.Port, Inside: inside, Private: private, At: position(e.At)})
	}
	return out
}
