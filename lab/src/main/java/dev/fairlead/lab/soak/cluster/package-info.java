/** Speaks to the API server for all slots of the soak at once: it is asked once a second, however many wait. */
@NullMarked
package dev.fairlead.lab.soak.cluster;

import org.jspecify.annotations.NullMarked;
