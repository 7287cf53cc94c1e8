/** The harness lets sound storage pass and finds what is wrong with unsound storage. */
@NullMarked
package dev.fairlead.testkit.crash;

import org.jspecify.annotations.NullMarked;
