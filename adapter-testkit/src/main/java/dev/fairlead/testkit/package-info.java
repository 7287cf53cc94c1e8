/**
 * Tests what every adapter must keep to: contracts, as interfaces whose tests a test class inherits, and rules on the
 * shape of the code.
 */
@NullMarked
package dev.fairlead.testkit;

import org.jspecify.annotations.NullMarked;
