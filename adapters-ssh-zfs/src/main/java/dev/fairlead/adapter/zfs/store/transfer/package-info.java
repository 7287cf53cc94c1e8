/** Content of datasets as streams of {@code zfs send}. */
@NullMarked
package dev.fairlead.adapter.zfs.store.transfer;

import org.jspecify.annotations.NullMarked;
