/** Connections by name. */
@NullMarked
package dev.fairlead.domain.connection;

import org.jspecify.annotations.NullMarked;
