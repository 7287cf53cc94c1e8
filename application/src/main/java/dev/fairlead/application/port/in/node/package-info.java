/** What callers may ask of a node. */
@NullMarked
package dev.fairlead.application.port.in.node;

import org.jspecify.annotations.NullMarked;
