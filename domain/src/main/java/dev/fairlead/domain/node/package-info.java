/** Nodes: the identity by which a controller knows them. */
@NullMarked
package dev.fairlead.domain.node;

import org.jspecify.annotations.NullMarked;
