/** Keeps volumes as plain folders below a base folder, in the layout of democratic-csi's client drivers. */
@NullMarked
package dev.fairlead.adapter.local.directory;

import org.jspecify.annotations.NullMarked;
