/** The process that makes the affinity of volumes follow their data. */
@NullMarked
package dev.fairlead.bootstrap.affinity;

import org.jspecify.annotations.NullMarked;
