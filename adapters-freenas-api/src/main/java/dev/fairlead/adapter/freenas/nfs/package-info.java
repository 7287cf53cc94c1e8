/** Exports filesystems by the NFS shares of a TrueNAS box. */
@NullMarked
package dev.fairlead.adapter.freenas.nfs;

import org.jspecify.annotations.NullMarked;
