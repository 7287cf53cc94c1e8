/**
 * Holds working stand-ins for the out-ports, kept in memory, and fixtures. The stand-ins pass the contracts of their
 * ports.
 */
@NullMarked
package dev.fairlead.testkit.fake;

import org.jspecify.annotations.NullMarked;
