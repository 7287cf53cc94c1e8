/** Snapshots of volumes. */
@NullMarked
package dev.fairlead.domain.snapshot;

import org.jspecify.annotations.NullMarked;
