/** Contracts of what a node needs: mounters and attachers. */
@NullMarked
package dev.fairlead.testkit.contract.node;

import org.jspecify.annotations.NullMarked;
