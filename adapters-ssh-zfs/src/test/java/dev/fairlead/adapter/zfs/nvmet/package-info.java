/** Tests of the exporter by the kernel's NVMe target. */
@NullMarked
package dev.fairlead.adapter.zfs.nvmet;

import org.jspecify.annotations.NullMarked;
