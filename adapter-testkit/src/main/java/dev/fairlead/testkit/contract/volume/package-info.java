/** Contracts of stores of volumes. */
@NullMarked
package dev.fairlead.testkit.contract.volume;

import org.jspecify.annotations.NullMarked;
