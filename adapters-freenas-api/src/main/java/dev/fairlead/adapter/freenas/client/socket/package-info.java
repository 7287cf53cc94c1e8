/** JSON-RPC over a WebSocket, which TrueNAS speaks from 25.04 on. */
@NullMarked
package dev.fairlead.adapter.freenas.client.socket;

import org.jspecify.annotations.NullMarked;
