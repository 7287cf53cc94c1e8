/** What a volume is, told from the properties of its dataset, and what it may be made like. */
@NullMarked
package dev.fairlead.zfs.volume;

import org.jspecify.annotations.NullMarked;
