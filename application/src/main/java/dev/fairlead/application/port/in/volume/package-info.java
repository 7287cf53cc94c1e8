/** What callers may ask of volumes. */
@NullMarked
package dev.fairlead.application.port.in.volume;

import org.jspecify.annotations.NullMarked;
