/** What the process counts, in the form that Prometheus reads. */
@NullMarked
package dev.fairlead.bootstrap.telemetry;

import org.jspecify.annotations.NullMarked;
