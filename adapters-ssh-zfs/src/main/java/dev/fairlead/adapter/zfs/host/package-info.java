/** Runs programs on a connection's storage host: its settings, the programs and what they answer. */
@NullMarked
package dev.fairlead.adapter.zfs.host;

import org.jspecify.annotations.NullMarked;
