/**
 * Plays random calls in random order, and compares the answers with a model of what CSI requires of a controller. The
 * calls may go to the use cases or over a socket.
 */
@NullMarked
package dev.fairlead.testkit.model;

import org.jspecify.annotations.NullMarked;
