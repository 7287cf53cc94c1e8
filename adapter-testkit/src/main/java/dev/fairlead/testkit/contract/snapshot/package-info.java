/** Contracts of stores of snapshots. */
@NullMarked
package dev.fairlead.testkit.contract.snapshot;

import org.jspecify.annotations.NullMarked;
