/** Makes the dataset of a volume, so that no cut leaves one that is nobody's. */
@NullMarked
package dev.fairlead.adapter.freenas.store.create;

import org.jspecify.annotations.NullMarked;
