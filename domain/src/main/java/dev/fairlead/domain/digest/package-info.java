/** Hashes of texts, where a decision or an id must come out the same every time. */
@NullMarked
package dev.fairlead.domain.digest;

import org.jspecify.annotations.NullMarked;
