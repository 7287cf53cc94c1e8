/**
 * The verbs other than serving. A verb is a picocli command that {@code Verbs} lists; picocli is loaded only for them,
 * so that it does not slow a driver's start.
 */
@NullMarked
package dev.fairlead.bootstrap.cli;

import org.jspecify.annotations.NullMarked;
