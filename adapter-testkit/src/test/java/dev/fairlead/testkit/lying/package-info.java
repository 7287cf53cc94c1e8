/** The harness lets sound storage pass and finds what is wrong with unsound storage. */
@NullMarked
package dev.fairlead.testkit.lying;

import org.jspecify.annotations.NullMarked;
