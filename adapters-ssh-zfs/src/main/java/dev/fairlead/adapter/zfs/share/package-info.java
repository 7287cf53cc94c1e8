/** Filesystems made reachable by a property of their dataset, and pools that are their node's own. */
@NullMarked
package dev.fairlead.adapter.zfs.share;

import org.jspecify.annotations.NullMarked;
