workspace "a" {
}

network {
  allow = [
    "api.example.org:443",
    "API.Example.ORG.:443",
    "db:5432",
    "api.example.org",
    "*.example.org:443",
    "*.example.org",
    "*.corp.:80",
    "*.model.localhost",
    "*", # ERROR: Invalid host
    "*:443", # ERROR: Invalid host
    "*.", # ERROR: Invalid host
    "*.org", # ERROR: Invalid host
    "*.*.example.org", # ERROR: Invalid host
    "api*.example.org", # ERROR: Invalid host
    "api.*.org", # ERROR: Invalid host
    "*example.org", # ERROR: Invalid host
    "*.10.0.0.1", # ERROR: Invalid host
    "*.a_b.org", # ERROR: Invalid host
    "*.example.org:0", # ERROR: Invalid port
    "", # ERROR: Invalid host
    "10.0.0.1", # ERROR: Invalid host
    "::1", # ERROR: Invalid host
    "localhost", # ERROR: Invalid host
    "https://api.example.org/v1", # ERROR: Invalid host
    "10.0.0.1:80", # ERROR: Invalid host
    "127.1:80", # ERROR: Invalid host
    "0x7f000001:80", # ERROR: Invalid host
    "017700000001:80", # ERROR: Invalid host
    "127.0.0.0x1:80", # ERROR: Invalid host
    "example.1-1:80", # ERROR: Invalid host
    "[::1]:80", # ERROR: Invalid host
    "::1:80", # ERROR: Invalid host
    "localhost:80", # ERROR: Invalid host
    "user@example.org:443", # ERROR: Invalid host
    "exa mple.org:443", # ERROR: Invalid host
    "exam%70le.org:443", # ERROR: Invalid host
    "-a.org:443", # ERROR: Invalid host
    "a_b.org:443", # ERROR: Invalid host
    "a..org:443", # ERROR: Invalid host
    "a.org..:443", # ERROR: Invalid host
    ":443", # ERROR: Invalid host
    ".:443", # ERROR: Invalid host
    "bücher.example:443", # ERROR: Invalid host
    "a.org:0", # ERROR: Invalid port
    "a.org:65536", # ERROR: Invalid port
    "a.org:0443", # ERROR: Invalid port
    "a.org:+443", # ERROR: Invalid port
    "a.org:https", # ERROR: Invalid port
    "a.org:", # ERROR: Invalid port
  ]
  private = [
    "10.1.2.0/24",
    "10.1.2.3/24", # ERROR: Invalid address range
    "10.1.2.3", # ERROR: Invalid address range
    "8.8.8.0/24", # ERROR: Range not private
    "0.0.0.0/0", # ERROR: Range not private
    "10.0.0.0/7", # ERROR: Range not private
    "::ffff:10.0.0.0/104", # ERROR: Invalid address range
    "fd00::/8",
  ]
  groups = [
    "npm",
    "pipy", # ERROR: Unknown value
    "NPM", # ERROR: Unknown value
  ]
  publish = [
    3000,
    0, # ERROR: Invalid port
    65536, # ERROR: Invalid port
    -1, # ERROR: Invalid port
    3000.5, # ERROR: Wrong type
    "3001", # ERROR: Wrong type
    null, # ERROR: Wrong type
  ]
}
