/** Knows what LINSTOR's affinity controller has left in LINSTOR, and removes it once it is ended. */
@NullMarked
package dev.fairlead.adapter.linstor.takeover;

import org.jspecify.annotations.NullMarked;
