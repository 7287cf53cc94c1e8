/** A volume as its dataset and properties say, and how either is found. */
@NullMarked
package dev.fairlead.adapter.zfs.store.volume;

import org.jspecify.annotations.NullMarked;
