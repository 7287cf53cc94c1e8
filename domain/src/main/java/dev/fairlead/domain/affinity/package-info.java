/** Decides how the node affinity of existing volumes follows the places of their data. */
@NullMarked
package dev.fairlead.domain.affinity;

import org.jspecify.annotations.NullMarked;
