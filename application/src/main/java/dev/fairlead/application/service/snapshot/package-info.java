/** Snapshots and groups of them. */
@NullMarked
package dev.fairlead.application.service.snapshot;

import org.jspecify.annotations.NullMarked;
