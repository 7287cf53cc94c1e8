/** What democratic-csi asks a box for, and what it leaves there. */
@NullMarked
package dev.fairlead.adapter.freenas.peer;

import org.jspecify.annotations.NullMarked;
