/** Exports block volumes by the NVMe subsystems of a TrueNAS box. */
@NullMarked
package dev.fairlead.adapter.freenas.nvmet;

import org.jspecify.annotations.NullMarked;
