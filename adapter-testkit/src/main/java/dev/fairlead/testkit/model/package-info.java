/**
 * Random calls in random order, compared with a model of what CSI promises of a controller. It is the same whether the
 * calls go to the use cases or over a socket.
 */
@NullMarked
package dev.fairlead.testkit.model;

import org.jspecify.annotations.NullMarked;
