/** Looks at the pools of a node, and tells how they are. */
@NullMarked
package dev.fairlead.adapter.local.pool.health;

import org.jspecify.annotations.NullMarked;
