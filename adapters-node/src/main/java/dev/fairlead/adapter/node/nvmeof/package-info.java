/** Attaches namespaces of NVMe-oF subsystems by the kernel itself. */
@NullMarked
package dev.fairlead.adapter.node.nvmeof;

import org.jspecify.annotations.NullMarked;
