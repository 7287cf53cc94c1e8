/** Attaches directories of Lustre file systems. */
@NullMarked
package dev.fairlead.adapter.node.lustre;

import org.jspecify.annotations.NullMarked;
