/** Tests of the node's parts; those that mount need root and leave nothing mounted. */
@NullMarked
package dev.fairlead.adapter.local.node;

import org.jspecify.annotations.NullMarked;
