/** Proofs of {@code fairlead affinity} on a real API server. */
@NullMarked
package dev.fairlead.lab.affinity;

import org.jspecify.annotations.NullMarked;
