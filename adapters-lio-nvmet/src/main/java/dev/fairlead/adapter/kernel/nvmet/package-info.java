/** Block volumes shown by the kernel's own NVMe target. */
@NullMarked
package dev.fairlead.adapter.kernel.nvmet;

import org.jspecify.annotations.NullMarked;
