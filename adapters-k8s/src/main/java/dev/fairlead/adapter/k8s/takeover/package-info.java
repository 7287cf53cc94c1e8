/** Watches for LINSTOR's affinity controller, which changes the same PersistentVolumes. */
@NullMarked
package dev.fairlead.adapter.k8s.takeover;

import org.jspecify.annotations.NullMarked;
