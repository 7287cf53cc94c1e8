/** Models nodes, pools, definitions and replicas as LINSTOR does. */
@NullMarked
package dev.fairlead.linstor.cluster;

import org.jspecify.annotations.NullMarked;
