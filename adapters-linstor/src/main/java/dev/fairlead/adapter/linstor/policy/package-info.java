/** Says how far from its replicas a volume may be used. */
@NullMarked
package dev.fairlead.adapter.linstor.policy;

import org.jspecify.annotations.NullMarked;
