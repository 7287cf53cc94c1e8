/** Knows the numbers of flags that differ between processors. */
@NullMarked
package dev.fairlead.linux.flags;

import org.jspecify.annotations.NullMarked;
