/** Measures a TrueNAS by its API, beside a client that was written by hand. */
@NullMarked
package dev.fairlead.benchmarks.truenas;

import org.jspecify.annotations.NullMarked;
