workspace "a" {
}


project {
  mode = "clone"
  mode = "direct" # ERROR: Attribute redefined
}
