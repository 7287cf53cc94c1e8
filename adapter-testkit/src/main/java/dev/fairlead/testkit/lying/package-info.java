/** Storage that lies: effects that are said to be done and are not, and answers that are not what they should be. */
@NullMarked
package dev.fairlead.testkit.lying;

import org.jspecify.annotations.NullMarked;
