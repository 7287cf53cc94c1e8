/** Programs on a storage host that is reached over SSH. */
@NullMarked
package dev.fairlead.adapter.ssh;

import org.jspecify.annotations.NullMarked;
