/** End-to-end suites against the real process. */
@NullMarked
package dev.fairlead.lab;

import org.jspecify.annotations.NullMarked;
