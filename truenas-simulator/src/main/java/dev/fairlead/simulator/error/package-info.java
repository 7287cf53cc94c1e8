/** Says how the API tells of what it refuses: an error number of the kernel, and what was wrong with which field. */
@NullMarked
package dev.fairlead.simulator.error;

import org.jspecify.annotations.NullMarked;
