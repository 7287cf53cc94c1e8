/** System calls that the JDK does not offer, by the foreign function interface. Linux only. */
@NullMarked
package dev.fairlead.linux;

import org.jspecify.annotations.NullMarked;
