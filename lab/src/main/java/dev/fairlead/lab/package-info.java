/** A CSI client and the real driver as a process of its own, for the end-to-end suites and the benchmarks. */
@NullMarked
package dev.fairlead.lab;

import org.jspecify.annotations.NullMarked;
