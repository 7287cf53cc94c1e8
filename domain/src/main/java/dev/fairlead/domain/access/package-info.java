/** Who may reach a volume: everybody that reaches its storage, or the nodes that it is published to. */
@NullMarked
package dev.fairlead.domain.access;

import org.jspecify.annotations.NullMarked;
