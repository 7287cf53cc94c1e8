/** Calls the {@code zfs} and {@code zpool} programs: their arguments, their output, their complaints. */
@NullMarked
package dev.fairlead.adapter.zfs.cli;

import org.jspecify.annotations.NullMarked;
