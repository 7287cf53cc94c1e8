/** Changes the node affinity of PersistentVolumes, in place or by replacing them. */
@NullMarked
package dev.fairlead.adapter.k8s.affinity;

import org.jspecify.annotations.NullMarked;
