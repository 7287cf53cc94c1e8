/** Tells what democratic-csi does on a storage host, as it was recorded. */
@NullMarked
package dev.fairlead.testkit.peer;

import org.jspecify.annotations.NullMarked;
