/** Block volumes shown by the kernel's own NVMe target. */
@NullMarked
package dev.fairlead.adapter.zfs.nvmet;

import org.jspecify.annotations.NullMarked;
