/** Block volumes made reachable over iSCSI by the targets of a Linux kernel (LIO), which targetcli configures. */
@NullMarked
package dev.fairlead.adapter.kernel.lio;

import org.jspecify.annotations.NullMarked;
