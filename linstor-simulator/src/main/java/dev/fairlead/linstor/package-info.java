/** Simulates a LINSTOR controller for tests and labs: its answers, its states in between and its faults. */
@NullMarked
package dev.fairlead.linstor;

import org.jspecify.annotations.NullMarked;
