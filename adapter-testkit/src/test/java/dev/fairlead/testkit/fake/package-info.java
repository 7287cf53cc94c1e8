/** The fakes pass the contracts that they stand in for. */
@NullMarked
package dev.fairlead.testkit.fake;

import org.jspecify.annotations.NullMarked;
