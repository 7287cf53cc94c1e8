/** Volumes: their names, ids, capabilities, content, and what a store knows of them. */
@NullMarked
package dev.fairlead.domain.volume;

import org.jspecify.annotations.NullMarked;
