/** The interfaces that the application needs from outside. */
@NullMarked
package dev.fairlead.application.port.out;

import org.jspecify.annotations.NullMarked;
