/**
 * The verbs beside serving. A verb is a picocli command that {@code Verbs} lists; picocli is loaded for them alone, so
 * that a driver's start does not pay for it.
 */
@NullMarked
package dev.fairlead.bootstrap.cli;

import org.jspecify.annotations.NullMarked;
