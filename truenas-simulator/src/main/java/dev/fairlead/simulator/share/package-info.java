/** Shares by NFS and SMB, and the services behind all shares. */
@NullMarked
package dev.fairlead.simulator.share;

import org.jspecify.annotations.NullMarked;
