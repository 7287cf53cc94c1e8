/** Leader election by a Lease. */
@NullMarked
package dev.fairlead.adapter.k8s.election;

import org.jspecify.annotations.NullMarked;
