/** Runs programs on a storage host over SSH. */
@NullMarked
package dev.fairlead.adapter.ssh;

import org.jspecify.annotations.NullMarked;
