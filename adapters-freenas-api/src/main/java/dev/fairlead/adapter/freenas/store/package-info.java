/** Keeps volumes and snapshots as datasets of a TrueNAS box, by its API. */
@NullMarked
package dev.fairlead.adapter.freenas.store;

import org.jspecify.annotations.NullMarked;
