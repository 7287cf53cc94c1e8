/** Collects and counts what the runs of the lab print: times, and promises that were broken. */
@NullMarked
package dev.fairlead.lab.report;

import org.jspecify.annotations.NullMarked;
