/** Holds the models to the vendor's own. */
@NullMarked
package dev.fairlead.simulator.model;

import org.jspecify.annotations.NullMarked;
