/** The access of this process to Kubernetes, if it needs one. */
@NullMarked
package dev.fairlead.bootstrap.cluster;

import org.jspecify.annotations.NullMarked;
