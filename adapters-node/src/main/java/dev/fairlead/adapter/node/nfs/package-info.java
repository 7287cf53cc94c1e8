/** Attaches shares of NFS servers. */
@NullMarked
package dev.fairlead.adapter.node.nfs;

import org.jspecify.annotations.NullMarked;
