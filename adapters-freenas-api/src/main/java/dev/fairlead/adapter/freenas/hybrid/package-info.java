/** Holds what connections need that keep volumes by SSH and share them by the API of the same TrueNAS box. */
@NullMarked
package dev.fairlead.adapter.freenas.hybrid;

import org.jspecify.annotations.NullMarked;
