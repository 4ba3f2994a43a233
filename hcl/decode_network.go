package hcl

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/agentenv/agentenv/workspace"
	"github.com/hashicorp/hcl/v2"
)

type networkConfig struct {
	allow   []field[workspace.Endpoint]
	private []field[string]
	groups  []field[string]
	publish []field[int64]
}

func (d *decoder) decodeNetworkBlock(b *block) networkConfig {
	return networkConfig{
		allow:   deriveAll(d.strs(b, "allow"), d.endpoint),
		private: deriveAll(d.strs(b, "private"), d.prefix),
		groups:  deriveAll(d.strs(b, "groups"), d.group),
		publish: deriveAll(d.numbers(b, "publish"), d.port),
	}
}

func (d *decoder) group(name string, r hcl.Range) (string, bool) {
	return name, d.oneOf(name, r, workspace.HostGroups()...)
}

func (d *decoder) port(n int64, r hcl.Range) (int64, bool) {
	ok := 1 <= n && n <= 65535
	if !ok {
		d.report(r, "Invalid port", fmt.Sprintf("%d is not a port from 1 to 65535.", n), "")
	}
	return n, ok
}

// endpoint reads NAME, NAME:PORT, *.SUFFIX or *.SUFFIX:PORT.
func (d *decoder) endpoint(s string, r hcl.Range) (workspace.Endpoint, bool) {
	none := workspace.Endpoint{}
	if scheme, rest, ok := strings.Cut(s, "://"); ok {
		d.report(r, "Invalid host", fmt.Sprintf("%q is a URL.", s), fmt.Sprintf("write %q", hostOfURL(scheme, rest)))
		return none, false
	}
	colon := strings.LastIndexByte(s, ':')
	if colon < 0 {
		return workspace.Endpoint{Host: normal(s)}, d.host(s, r)
	}
	host, port := s[:colon], s[colon+1:]
	if !d.host(host, r) {
		return none, false
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 || strconv.FormatUint(n, 10) != port {
		d.report(r, "Invalid port", fmt.Sprintf("%q is not a port from 1 to 65535.", port), "")
		return none, false
	}
	return workspace.Endpoint{Host: normal(host), Port: uint16(n)}, true
}

func hostOfURL(scheme, rest string) string {
	host, _, _ := strings.Cut(rest, "/")
	if strings.Contains(host, ":") {
		return host
	}
	if scheme == "http" {
		return host + ":80"
	}
	return host + ":443"
}

// normal is the one spelling of a name that the gate compares.
func normal(host string) string {
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

var (
	labelRE  = lazily(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	numberRE = lazily(`^([0-9-]+|0x[0-9a-f]*)$`)
)

// host checks a host name: letters, digits and hyphens (RFC 1123), and no
// spelling of an address. Resolvers take 127.1, 0x7f000001 and 017700000001 for
// addresses, so the last label must be one that inet_aton(3) cannot read.
func (d *decoder) host(host string, r hcl.Range) bool {
	why, hint := hostProblem(normal(host))
	if why != "" {
		d.report(r, "Invalid host", fmt.Sprintf("%q: %s", host, why), hint)
	}
	return why == ""
}

func hostProblem(host string) (why, hint string) {
	host, pattern := strings.CutPrefix(host, "*.")
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	switch {
	case strings.ContainsAny(host, "*?") && !pattern:
		return "A pattern has *. before a suffix, and no other *.", `write one such as "*.example.org:443"`
	case strings.ContainsAny(host, "*?"):
		return "A pattern has one *, which is every name below the suffix, however deep.", `write one such as "*.example.org:443"`
	case pattern && len(labels) == 1 && !slices.Contains(privateSuffixes, host):
		return "A pattern has a suffix of two parts or more: this one is names of everybody.", `write one such as "*.example.org:443"`
	case strings.ContainsAny(host, "[]:") || isAddress(last):
		return "An address is not a name, and names are what the gate checks.", "write the name of the host"
	case host == "localhost": // a name below it is the host's loopback, seen through the gate (RFC 6761)
		return "localhost is the sandbox itself.", ""
	case len(host) > 253:
		return "A name has at most 253 characters.", ""
	case strings.ContainsFunc(host, func(r rune) bool { return r > 0x7e }):
		return "A name has ASCII characters only.", "write its xn-- form"
	}
	for _, label := range labels {
		if !labelRE().MatchString(label) {
			return "A name is made of letters, digits and hyphens, in parts of 1 to 63 that dots separate.", ""
		}
	}
	return "", ""
}

// privateSuffixes are top-level domains that no registry sells names below (RFC
// 2606, 6761 and 6762, ICANN's list of names in private use), so that a pattern
// may have one alone.
var privateSuffixes = []string{"corp", "home", "internal", "intranet", "lan", "local", "localhost", "private", "test"}

// isAddress tells whether a resolver would take a name with this last part for
// an address: it is a number in decimal, octal or hex.
func isAddress(last string) bool { return numberRE().MatchString(last) }

// privateRanges are those that a name may resolve into only if they are listed:
// the special-purpose registries of IANA (RFC 6890 and its updates).
var privateRanges = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"),
	netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("169.254.0.0/16"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("fc00::/7"), netip.MustParsePrefix("fe80::/10"), netip.MustParsePrefix("::1/128"),
}

// prefix reads an address range in CIDR notation.
func (d *decoder) prefix(s string, r hcl.Range) (string, bool) {
	p, err := netip.ParsePrefix(s)
	switch {
	case err != nil || p.Addr().Is4In6():
		d.report(r, "Invalid address range", fmt.Sprintf("%q is not a range such as 10.1.2.0/24.", s), "")
		return "", false
	case p.Masked() != p:
		d.report(r, "Invalid address range", fmt.Sprintf("%q has bits after its first %d.", s, p.Bits()), fmt.Sprintf("write %q, or %q for the one address", p.Masked(), netip.PrefixFrom(p.Addr(), p.Addr().BitLen())))
		return "", false
	}
	for _, private := range privateRanges {
		if private.Bits() <= p.Bits() && private.Contains(p.Addr()) {
			return p.String(), true
		}
	}
	d.report(r, "Range not private", fmt.Sprintf("%s is not inside a private range. Public addresses need no entry.", p), "")
	return "", false
}
