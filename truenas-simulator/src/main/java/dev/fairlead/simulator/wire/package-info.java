/** What speaks with clients: REST, JSON-RPC and the old socket, each with the vendor's texts and limits. */
@NullMarked
package dev.fairlead.simulator.wire;

import org.jspecify.annotations.NullMarked;
