/** Sizes in bytes and the ranges in which callers ask for them. */
@NullMarked
package dev.fairlead.domain.capacity;

import org.jspecify.annotations.NullMarked;
