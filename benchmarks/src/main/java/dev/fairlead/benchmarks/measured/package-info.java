/** What a run has measured: samples of each cell of the table, and single values. */
@NullMarked
package dev.fairlead.benchmarks.measured;

import org.jspecify.annotations.NullMarked;
