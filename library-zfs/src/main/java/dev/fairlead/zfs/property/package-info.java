/** What is kept in the properties of a dataset: democratic-csi's names, and ours beside them. */
@NullMarked
package dev.fairlead.zfs.property;

import org.jspecify.annotations.NullMarked;
