/** Reads and changes snapshots by the API of a TrueNAS box. */
@NullMarked
package dev.fairlead.adapter.freenas.store.snapshot;

import org.jspecify.annotations.NullMarked;
