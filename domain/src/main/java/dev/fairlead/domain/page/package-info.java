/** Stable paging over things that come and go. */
@NullMarked
package dev.fairlead.domain.page;

import org.jspecify.annotations.NullMarked;
