/** Tests of the face that follows on a real storage host. */
@NullMarked
package dev.fairlead.simulator.real;

import org.jspecify.annotations.NullMarked;
