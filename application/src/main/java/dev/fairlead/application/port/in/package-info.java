/** The use cases that the gRPC adapter calls, one interface for each. */
@NullMarked
package dev.fairlead.application.port.in;

import org.jspecify.annotations.NullMarked;
