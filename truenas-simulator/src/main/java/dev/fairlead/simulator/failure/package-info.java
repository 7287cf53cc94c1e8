/** The faults that a test arms, and the log of calls that it reads. */
@NullMarked
package dev.fairlead.simulator.failure;

import org.jspecify.annotations.NullMarked;
