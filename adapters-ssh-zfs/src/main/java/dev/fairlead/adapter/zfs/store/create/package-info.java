/** Makes the dataset of a volume. */
@NullMarked
package dev.fairlead.adapter.zfs.store.create;

import org.jspecify.annotations.NullMarked;
