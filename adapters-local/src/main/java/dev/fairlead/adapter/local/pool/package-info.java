/** Keeps volumes in named pools of the node: plain folders, or image files whose size is enforced. */
@NullMarked
package dev.fairlead.adapter.local.pool;

import org.jspecify.annotations.NullMarked;
