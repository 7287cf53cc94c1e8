/** Lets volumes of four protocols come, grow, move and go for an hour while servers and plugins die. */
@NullMarked
package dev.fairlead.lab.soak;

import org.jspecify.annotations.NullMarked;
