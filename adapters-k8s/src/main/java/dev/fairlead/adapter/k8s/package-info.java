/** Kubernetes' API, as far as a driver needs it: a Lease, events, and the labels of a node. */
@NullMarked
package dev.fairlead.adapter.k8s;

import org.jspecify.annotations.NullMarked;
