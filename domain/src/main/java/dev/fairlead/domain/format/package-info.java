/** Decides whether a block device may be formatted. */
@NullMarked
package dev.fairlead.domain.format;

import org.jspecify.annotations.NullMarked;
