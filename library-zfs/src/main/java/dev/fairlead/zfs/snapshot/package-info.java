/** What a snapshot is called, and what its properties tell. */
@NullMarked
package dev.fairlead.zfs.snapshot;

import org.jspecify.annotations.NullMarked;
