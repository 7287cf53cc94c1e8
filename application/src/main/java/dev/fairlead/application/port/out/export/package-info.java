/** The interfaces that a protocol implements on the storage side. */
@NullMarked
package dev.fairlead.application.port.out.export;

import org.jspecify.annotations.NullMarked;
