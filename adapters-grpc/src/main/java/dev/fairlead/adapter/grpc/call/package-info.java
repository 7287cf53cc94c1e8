/** What goes around every call: its thread, its log lines, its failure. */
@NullMarked
package dev.fairlead.adapter.grpc.call;

import org.jspecify.annotations.NullMarked;
