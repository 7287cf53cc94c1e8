/** Holds the simulator to what the vendor's box was seen to do. */
@NullMarked
package dev.fairlead.simulator;

import org.jspecify.annotations.NullMarked;
