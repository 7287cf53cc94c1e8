/**
 * Working stand-ins for the out-ports, kept in memory, and fixtures. They pass the contracts that they stand in for.
 */
@NullMarked
package dev.fairlead.testkit.fake;

import org.jspecify.annotations.NullMarked;
