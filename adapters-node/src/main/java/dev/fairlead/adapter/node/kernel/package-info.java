/** Runs kernel calls that may hang, and reads the mount table, which never does. */
@NullMarked
package dev.fairlead.adapter.node.kernel;

import org.jspecify.annotations.NullMarked;
