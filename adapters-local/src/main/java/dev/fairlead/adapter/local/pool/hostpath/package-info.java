/** Serves the volumes and snapshots that kubevirt's hostpath-provisioner made in a pool, where they are. */
@NullMarked
package dev.fairlead.adapter.local.pool.hostpath;

import org.jspecify.annotations.NullMarked;
