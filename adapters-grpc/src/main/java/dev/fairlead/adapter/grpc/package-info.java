/** CSI over gRPC: requests are decoded and checked here, handed to a use case, and its result encoded. */
@NullMarked
package dev.fairlead.adapter.grpc;

import org.jspecify.annotations.NullMarked;
