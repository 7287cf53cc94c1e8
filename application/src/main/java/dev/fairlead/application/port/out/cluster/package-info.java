/** The services of an orchestrator for a driver that runs in it; a driver runs without one, too. */
@NullMarked
package dev.fairlead.application.port.out.cluster;

import org.jspecify.annotations.NullMarked;
