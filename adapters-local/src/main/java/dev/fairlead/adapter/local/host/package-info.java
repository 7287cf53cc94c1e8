/** Runs programs on this machine, if it is a connection's storage host. */
@NullMarked
package dev.fairlead.adapter.local.host;

import org.jspecify.annotations.NullMarked;
