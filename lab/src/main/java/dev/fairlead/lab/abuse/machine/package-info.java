/** The machine on which the driver is abused. */
@NullMarked
package dev.fairlead.lab.abuse.machine;

import org.jspecify.annotations.NullMarked;
