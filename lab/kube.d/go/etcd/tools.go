//go:build tools

// Package tools names the commands that are built from this module's versions.
package tools

import _ "go.etcd.io/etcd/server/v3"
