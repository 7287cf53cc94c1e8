/** Abuses a running driver in many ways at once, and checks that nothing is lost, left behind or slowed down. */
@NullMarked
package dev.fairlead.lab.abuse;

import org.jspecify.annotations.NullMarked;
