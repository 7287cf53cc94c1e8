/** Pools that are where their disk is, whatever the node is called. */
@NullMarked
package dev.fairlead.adapter.local.pool.identity;

import org.jspecify.annotations.NullMarked;
