/** Makes and removes the mounts of this node by system calls. */
@NullMarked
package dev.fairlead.adapter.node.mount;

import org.jspecify.annotations.NullMarked;
