/** The endpoints at which calls come in, and a probe of one. */
@NullMarked
package dev.fairlead.adapter.grpc.socket;

import org.jspecify.annotations.NullMarked;
