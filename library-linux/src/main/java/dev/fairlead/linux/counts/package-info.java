/** Reads what the kernel has counted. */
@NullMarked
package dev.fairlead.linux.counts;

import org.jspecify.annotations.NullMarked;
