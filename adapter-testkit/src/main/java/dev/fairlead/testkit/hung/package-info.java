/** A file system that never answers, for tests of what a dead server does to the rest. */
@NullMarked
package dev.fairlead.testkit.hung;

import org.jspecify.annotations.NullMarked;
