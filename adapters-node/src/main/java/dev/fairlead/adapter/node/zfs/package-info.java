/** Attaches datasets and volumes of the node's own ZFS pools. */
@NullMarked
package dev.fairlead.adapter.node.zfs;

import org.jspecify.annotations.NullMarked;
