/** Rules on the shape of what serves this machine's own storage. */
@NullMarked
package dev.fairlead.adapter.local;

import org.jspecify.annotations.NullMarked;
