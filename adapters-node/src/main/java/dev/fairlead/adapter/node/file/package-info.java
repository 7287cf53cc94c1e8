/** Files on the node's disk that outlive a power loss. */
@NullMarked
package dev.fairlead.adapter.node.file;

import org.jspecify.annotations.NullMarked;
