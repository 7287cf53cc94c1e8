/** Tells where the data of existing volumes is, for the affinity of their PersistentVolumes. */
@NullMarked
package dev.fairlead.application.port.out.placement;

import org.jspecify.annotations.NullMarked;
