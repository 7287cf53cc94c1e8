/** The use cases over fakes: what a whole controller or node promises, whatever its storage is. */
@NullMarked
package dev.fairlead.testkit.application;

import org.jspecify.annotations.NullMarked;
