/** The endpoint that tells the health and metrics of the process by HTTP. */
@NullMarked
package dev.fairlead.bootstrap.monitor;

import org.jspecify.annotations.NullMarked;
