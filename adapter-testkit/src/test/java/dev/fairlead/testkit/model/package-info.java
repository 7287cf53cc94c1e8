/** The use cases over storage in memory agree with the model, and the model finds those that do not. */
@NullMarked
package dev.fairlead.testkit.model;

import org.jspecify.annotations.NullMarked;
