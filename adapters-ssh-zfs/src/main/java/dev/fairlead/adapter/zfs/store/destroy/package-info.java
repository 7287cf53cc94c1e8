/** Destroys the dataset of a volume, or puts it out of sight while clones hang on it. */
@NullMarked
package dev.fairlead.adapter.zfs.store.destroy;

import org.jspecify.annotations.NullMarked;
