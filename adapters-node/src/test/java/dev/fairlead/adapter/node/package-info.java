/** Tests of the node's parts; those that mount need root and leave nothing mounted. */
@NullMarked
package dev.fairlead.adapter.node;

import org.jspecify.annotations.NullMarked;
