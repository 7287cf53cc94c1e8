/** Tells how the pools of this node are. */
@NullMarked
package dev.fairlead.bootstrap.serving.pool;

import org.jspecify.annotations.NullMarked;
