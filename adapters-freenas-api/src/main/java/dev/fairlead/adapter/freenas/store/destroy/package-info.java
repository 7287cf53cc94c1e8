/** Deletes the dataset of a volume, and nothing that hangs on it. */
@NullMarked
package dev.fairlead.adapter.freenas.store.destroy;

import org.jspecify.annotations.NullMarked;
