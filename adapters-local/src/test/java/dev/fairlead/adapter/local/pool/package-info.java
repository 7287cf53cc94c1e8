/** Tests of the node's own pools. */
@NullMarked
package dev.fairlead.adapter.local.pool;

import org.jspecify.annotations.NullMarked;
