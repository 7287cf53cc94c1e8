/** Measures local pools beside shell scripts that do the same, and with many volumes. */
@NullMarked
package dev.fairlead.benchmarks.pools;

import org.jspecify.annotations.NullMarked;
