/** Snapshots, those that are datasets of their own, and those that are taken in passing. */
@NullMarked
package dev.fairlead.adapter.zfs.store.snapshot;

import org.jspecify.annotations.NullMarked;
