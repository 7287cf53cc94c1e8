/** What callers may ask of snapshots and groups of them. */
@NullMarked
package dev.fairlead.application.port.in.snapshot;

import org.jspecify.annotations.NullMarked;
