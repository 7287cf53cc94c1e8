/**
 * Crash points: every outside effect of a call is numbered, and for each number the process dies there, is started anew
 * and asked again; the world must then be as if nothing had happened.
 */
@NullMarked
package dev.fairlead.testkit.crash;

import org.jspecify.annotations.NullMarked;
