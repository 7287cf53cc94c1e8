/** Tells base folders on the disks of nodes apart, by the mark that each of them holds. */
@NullMarked
package dev.fairlead.domain.base;

import org.jspecify.annotations.NullMarked;
