/** Tests of the attacher of iSCSI LUNs. */
@NullMarked
package dev.fairlead.adapter.node.iscsi;

import org.jspecify.annotations.NullMarked;
