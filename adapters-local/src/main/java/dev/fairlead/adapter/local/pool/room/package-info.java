/** Counts what is promised in a pool beside what its records say. */
@NullMarked
package dev.fairlead.adapter.local.pool.room;

import org.jspecify.annotations.NullMarked;
