/** The small files beside volumes and snapshots. */
@NullMarked
package dev.fairlead.adapter.local.directory.record;

import org.jspecify.annotations.NullMarked;
