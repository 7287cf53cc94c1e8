/** Tells from the replicas of a LINSTOR where its volumes can be used. */
@NullMarked
package dev.fairlead.adapter.linstor;

import org.jspecify.annotations.NullMarked;
