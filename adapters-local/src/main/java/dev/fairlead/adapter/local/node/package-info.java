/** Mounts and unmounts on this node, and has the attachers of this machine. */
@NullMarked
package dev.fairlead.adapter.local.node;

import org.jspecify.annotations.NullMarked;
