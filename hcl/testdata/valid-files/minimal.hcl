workspace "minimal" {}
