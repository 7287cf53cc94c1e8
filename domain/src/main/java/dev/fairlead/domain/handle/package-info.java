/** Volume and snapshot handles, as they travel over CSI. */
@NullMarked
package dev.fairlead.domain.handle;

import org.jspecify.annotations.NullMarked;
