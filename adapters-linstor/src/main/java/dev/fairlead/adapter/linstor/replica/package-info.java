/** Reads nodes and replicas, and says which replicas have data. */
@NullMarked
package dev.fairlead.adapter.linstor.replica;

import org.jspecify.annotations.NullMarked;
