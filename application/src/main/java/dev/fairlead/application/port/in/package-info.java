/** Use cases, one verb each: what the gRPC adapter calls. */
@NullMarked
package dev.fairlead.application.port.in;

import org.jspecify.annotations.NullMarked;
