/** Tests of this package; those that mount need root and leave nothing mounted. */
@NullMarked
package dev.fairlead.adapter.node.hostpath;

import org.jspecify.annotations.NullMarked;
