/** Where volumes and snapshots are, by the objects of Kubernetes. */
@NullMarked
package dev.fairlead.adapter.k8s.volume;

import org.jspecify.annotations.NullMarked;
