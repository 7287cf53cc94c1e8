/** Looks at block devices, and makes and grows the file systems on them, by the programs of each type. */
@NullMarked
package dev.fairlead.adapter.node.filesystem;

import org.jspecify.annotations.NullMarked;
