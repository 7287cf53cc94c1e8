/** Exports block volumes by the iSCSI targets of a TrueNAS box. */
@NullMarked
package dev.fairlead.adapter.freenas.iscsi;

import org.jspecify.annotations.NullMarked;
