/** The one engine below all ways to call: methods, sessions, jobs, and the state that survives a kill. */
@NullMarked
package dev.fairlead.simulator.engine;

import org.jspecify.annotations.NullMarked;
