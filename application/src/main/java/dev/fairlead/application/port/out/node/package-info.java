/** The interfaces that a protocol implements on the node side, and the node's mounts. */
@NullMarked
package dev.fairlead.application.port.out.node;

import org.jspecify.annotations.NullMarked;
