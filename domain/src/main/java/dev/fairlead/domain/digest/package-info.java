/** Hashes texts if a decision or an id has to come out the same every time. */
@NullMarked
package dev.fairlead.domain.digest;

import org.jspecify.annotations.NullMarked;
