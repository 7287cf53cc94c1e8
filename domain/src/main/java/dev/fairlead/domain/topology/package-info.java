/** Segments, requirements, placements, and the one algorithm that chooses between them. */
@NullMarked
package dev.fairlead.domain.topology;

import org.jspecify.annotations.NullMarked;
