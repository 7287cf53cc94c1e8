/** Follows a call through a running driver, class by class. */
@NullMarked
package dev.fairlead.lab.walk;

import org.jspecify.annotations.NullMarked;
