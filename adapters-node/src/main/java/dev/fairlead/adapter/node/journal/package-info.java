/** Keeps the journal of what this node has attached in a folder of the node. */
@NullMarked
package dev.fairlead.adapter.node.journal;

import org.jspecify.annotations.NullMarked;
