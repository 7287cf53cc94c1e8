/** The facts that this node reports about itself. */
@NullMarked
package dev.fairlead.bootstrap.node;

import org.jspecify.annotations.NullMarked;
