/** Kubernetes' API, as far as a driver needs it: a Lease, events, the labels of a node, and where volumes are. */
@NullMarked
package dev.fairlead.adapter.k8s;

import org.jspecify.annotations.NullMarked;
