/** Exports filesystems by the SMB shares of a TrueNAS box. */
@NullMarked
package dev.fairlead.adapter.freenas.smb;

import org.jspecify.annotations.NullMarked;
