/** Assembles the parts of a node: its mounts, and an attacher for each protocol. */
@NullMarked
package dev.fairlead.adapter.node;

import org.jspecify.annotations.NullMarked;
