/** A connection's storage host: its settings, the programs that are run there, and what they answer. */
@NullMarked
package dev.fairlead.adapter.zfs.host;

import org.jspecify.annotations.NullMarked;
