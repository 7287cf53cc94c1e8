/** Decodes requests, encodes answers and failures. */
@NullMarked
package dev.fairlead.adapter.grpc.message;

import org.jspecify.annotations.NullMarked;
