/** CSI's Node service. */
@NullMarked
package dev.fairlead.adapter.grpc.node;

import org.jspecify.annotations.NullMarked;
