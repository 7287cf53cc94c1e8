/** What targets of every protocol have in common: their names, and that one writer at a time makes them. */
@NullMarked
package dev.fairlead.adapter.kernel.host;

import org.jspecify.annotations.NullMarked;
