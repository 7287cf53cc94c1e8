/** Checks what PersistentVolumes say of shares on servers, before a mount program sees it. */
@NullMarked
package dev.fairlead.adapter.node.share;

import org.jspecify.annotations.NullMarked;
