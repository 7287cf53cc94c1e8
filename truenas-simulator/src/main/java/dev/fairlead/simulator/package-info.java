/**
 * A storage box of TrueNAS that is none: it answers its API by REST and JSON-RPC as each release does, keeps its state
 * in a folder, and fails as it is told to. It is a test tool and never part of the product.
 */
@NullMarked
package dev.fairlead.simulator;

import org.jspecify.annotations.NullMarked;
