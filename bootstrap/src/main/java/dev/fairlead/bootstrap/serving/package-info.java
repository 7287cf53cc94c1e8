/** A driver that serves: its graph for each mode, its start and its end. */
@NullMarked
package dev.fairlead.bootstrap.serving;

import org.jspecify.annotations.NullMarked;
