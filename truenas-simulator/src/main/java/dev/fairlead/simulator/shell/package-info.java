/** The shell of a box, and its zfs command over the same state that the API has. */
@NullMarked
package dev.fairlead.simulator.shell;

import org.jspecify.annotations.NullMarked;
