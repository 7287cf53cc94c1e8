/** Attaches shares of servers, and checks what PersistentVolumes say of them before a mount program sees it. */
@NullMarked
package dev.fairlead.adapter.node.share;

import org.jspecify.annotations.NullMarked;
