/** Attaches LUNs of iSCSI targets by open-iscsi. */
@NullMarked
package dev.fairlead.adapter.node.iscsi;

import org.jspecify.annotations.NullMarked;
