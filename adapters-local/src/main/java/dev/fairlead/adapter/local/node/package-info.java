/** The node's mount table and the attachers of this machine. */
@NullMarked
package dev.fairlead.adapter.local.node;

import org.jspecify.annotations.NullMarked;
