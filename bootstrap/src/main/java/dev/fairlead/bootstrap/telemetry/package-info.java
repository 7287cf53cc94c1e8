/** The metrics of the process, in Prometheus' text format. */
@NullMarked
package dev.fairlead.bootstrap.telemetry;

import org.jspecify.annotations.NullMarked;
