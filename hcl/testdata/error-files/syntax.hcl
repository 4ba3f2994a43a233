workspace "a" {
  systems = [
    "x86_64-linux"
    "aarch64-linux" # ERROR: Missing item separator
  ]
}
