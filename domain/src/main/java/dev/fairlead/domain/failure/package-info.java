/** What can go wrong, as data: one sealed set, one exception. */
@NullMarked
package dev.fairlead.domain.failure;

import org.jspecify.annotations.NullMarked;
