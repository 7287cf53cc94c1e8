/** Tests of the attacher of the node's own pools, with the kernel's loop devices. */
@NullMarked
package dev.fairlead.adapter.node.pool;

import org.jspecify.annotations.NullMarked;
