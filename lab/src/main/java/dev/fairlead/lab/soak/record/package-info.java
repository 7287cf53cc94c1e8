/** Knows what the pods of the soak write, and whether what is read again is that. */
@NullMarked
package dev.fairlead.lab.soak.record;

import org.jspecify.annotations.NullMarked;
