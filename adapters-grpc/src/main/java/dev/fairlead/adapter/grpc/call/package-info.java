/** Holds what every call has: its id, its thread, its time; and the calls about health. */
@NullMarked
package dev.fairlead.adapter.grpc.call;

import org.jspecify.annotations.NullMarked;
