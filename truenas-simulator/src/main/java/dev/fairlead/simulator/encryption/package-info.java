/** Encrypted datasets: which are locked. */
@NullMarked
package dev.fairlead.simulator.encryption;

import org.jspecify.annotations.NullMarked;
