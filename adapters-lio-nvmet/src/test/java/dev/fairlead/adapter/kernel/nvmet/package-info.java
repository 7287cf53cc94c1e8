/** Tests of the exporter by the kernel's NVMe target. */
@NullMarked
package dev.fairlead.adapter.kernel.nvmet;

import org.jspecify.annotations.NullMarked;
