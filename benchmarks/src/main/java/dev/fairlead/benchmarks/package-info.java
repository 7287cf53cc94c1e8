/** Measures the whole process beside the floors under it, in one run. */
@NullMarked
package dev.fairlead.benchmarks;

import org.jspecify.annotations.NullMarked;
