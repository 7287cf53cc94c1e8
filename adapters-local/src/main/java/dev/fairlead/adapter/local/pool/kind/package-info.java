/** Knows the kinds of pool: what a volume of each is, and what it occupies. */
@NullMarked
package dev.fairlead.adapter.local.pool.kind;

import org.jspecify.annotations.NullMarked;
