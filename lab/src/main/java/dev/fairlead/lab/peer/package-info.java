/** Runs Fairlead and the real democratic-csi by turns over one storage. */
@NullMarked
package dev.fairlead.lab.peer;

import org.jspecify.annotations.NullMarked;
