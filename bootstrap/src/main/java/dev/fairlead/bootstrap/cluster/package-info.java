/** How this process reaches Kubernetes, where it has to. */
@NullMarked
package dev.fairlead.bootstrap.cluster;

import org.jspecify.annotations.NullMarked;
