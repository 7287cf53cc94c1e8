/** Holds the parts of the rules on the shape of the code. */
@NullMarked
package dev.fairlead.testkit.rules;

import org.jspecify.annotations.NullMarked;
