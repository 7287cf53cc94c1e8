/** A storage host in memory. */
@NullMarked
package dev.fairlead.adapter.zfs.fake;

import org.jspecify.annotations.NullMarked;
