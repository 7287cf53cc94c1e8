/** Tests of this package. */
@NullMarked
package dev.fairlead.adapter.node.filesystem;

import org.jspecify.annotations.NullMarked;
