/** The releases of the vendor's software, and where they differ in what they serve. */
@NullMarked
package dev.fairlead.simulator.profile;

import org.jspecify.annotations.NullMarked;
