/** Decides from what a node sees of a staged volume what is wrong with it. */
@NullMarked
package dev.fairlead.domain.health;

import org.jspecify.annotations.NullMarked;
