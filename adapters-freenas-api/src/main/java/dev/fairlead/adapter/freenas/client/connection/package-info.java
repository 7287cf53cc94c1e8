/** One connection's way to its box - shared sessions, deadlines, the jail, settings. */
@NullMarked
package dev.fairlead.adapter.freenas.client.connection;

import org.jspecify.annotations.NullMarked;
