/** The other face of a box: what the engine decides is done on a real storage host, too. */
@NullMarked
package dev.fairlead.simulator.real;

import org.jspecify.annotations.NullMarked;
