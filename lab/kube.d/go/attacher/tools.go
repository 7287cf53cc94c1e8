//go:build tools

// Package tools names the commands that are built from this module's versions.
package tools

import _ "github.com/kubernetes-csi/external-attacher/v4/cmd/csi-attacher"
