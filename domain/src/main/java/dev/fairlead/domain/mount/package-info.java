/** Reads mount options, which people, Kubernetes and the kernel write. */
@NullMarked
package dev.fairlead.domain.mount;

import org.jspecify.annotations.NullMarked;
