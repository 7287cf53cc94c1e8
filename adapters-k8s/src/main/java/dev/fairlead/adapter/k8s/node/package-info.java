/** Nodes: their labels, their end, and the taint that keeps pods away until the driver runs. */
@NullMarked
package dev.fairlead.adapter.k8s.node;

import org.jspecify.annotations.NullMarked;
