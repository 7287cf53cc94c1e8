/** Attaches directories of the node itself. */
@NullMarked
package dev.fairlead.adapter.node.hostpath;

import org.jspecify.annotations.NullMarked;
