/** The interfaces that a storage backend implements. */
@NullMarked
package dev.fairlead.application.port.out.store;

import org.jspecify.annotations.NullMarked;
