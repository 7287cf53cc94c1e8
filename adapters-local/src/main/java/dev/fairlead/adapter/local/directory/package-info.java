/** Volumes that are plain folders below a base folder, in the layout that democratic-csi's client drivers have. */
@NullMarked
package dev.fairlead.adapter.local.directory;

import org.jspecify.annotations.NullMarked;
