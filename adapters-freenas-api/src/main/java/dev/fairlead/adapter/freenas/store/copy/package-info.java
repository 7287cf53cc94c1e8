/** Copies content on a TrueNAS box by its own local replication. */
@NullMarked
package dev.fairlead.adapter.freenas.store.copy;

import org.jspecify.annotations.NullMarked;
