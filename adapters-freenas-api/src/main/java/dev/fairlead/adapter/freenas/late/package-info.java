/** Keeps calls that a box does late from harm. */
@NullMarked
package dev.fairlead.adapter.freenas.late;

import org.jspecify.annotations.NullMarked;
