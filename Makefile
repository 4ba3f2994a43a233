# Two commands do everything on a fresh machine: make demo, make test.
export CGO_ENABLED ?= 0

agentenv: $(shell git ls-files '*.go' 'templates/*' go.mod go.sum)
	go build -trimpath -o $@ ./cmd/agentenv

setup:
	@sh scripts/setup

demo: setup
	@go run ./internal/demo

test: setup
	go vet ./...
	CGO_ENABLED=1 go test -race -timeout 20m ./...

lint:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	go vet ./...

bench: agentenv
	@go run ./internal/bench

.PHONY: setup demo test lint bench
