/** Parts of which the rules on the shape of the code are made. */
@NullMarked
package dev.fairlead.testkit.rules;

import org.jspecify.annotations.NullMarked;
