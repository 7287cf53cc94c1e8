/** Makes the affinity of PersistentVolumes follow the places of their data. */
@NullMarked
package dev.fairlead.application.service.affinity;

import org.jspecify.annotations.NullMarked;
