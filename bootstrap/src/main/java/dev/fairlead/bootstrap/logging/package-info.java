/** Log lines: their levels, and their two forms. */
@NullMarked
package dev.fairlead.bootstrap.logging;

import org.jspecify.annotations.NullMarked;
