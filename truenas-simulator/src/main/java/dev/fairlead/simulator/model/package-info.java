/** The vendor's payload models, and the texts with which they refuse. */
@NullMarked
package dev.fairlead.simulator.model;

import org.jspecify.annotations.NullMarked;
