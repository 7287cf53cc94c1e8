/** What this node says of itself. */
@NullMarked
package dev.fairlead.bootstrap.node;

import org.jspecify.annotations.NullMarked;
