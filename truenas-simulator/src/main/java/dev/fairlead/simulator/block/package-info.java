/** Targets of iSCSI and subsystems of NVMe over fabrics. */
@NullMarked
package dev.fairlead.simulator.block;

import org.jspecify.annotations.NullMarked;
