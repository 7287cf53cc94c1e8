/** The contracts find what breaks them, and the rules find what breaks those. */
@NullMarked
package dev.fairlead.testkit;

import org.jspecify.annotations.NullMarked;
