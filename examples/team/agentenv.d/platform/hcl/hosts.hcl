network {
  allow = [
    "api.anthropic.com:443",
    "goproxy.example.org:443",
  ]
}
