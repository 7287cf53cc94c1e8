/** Attaches images of the node's own pools by loop devices. */
@NullMarked
package dev.fairlead.adapter.node.pool;

import org.jspecify.annotations.NullMarked;
