/** Holds a LINSTOR, simulated or real, to the answers that a real one gave. */
@NullMarked
package dev.fairlead.linstor.check;

import org.jspecify.annotations.NullMarked;
