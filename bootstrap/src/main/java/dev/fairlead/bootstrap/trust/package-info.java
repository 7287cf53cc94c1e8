/** Which servers this process believes. */
@NullMarked
package dev.fairlead.bootstrap.trust;

import org.jspecify.annotations.NullMarked;
