/** Makes, reads and destroys datasets of ZFS, for pools whose volumes are datasets. */
@NullMarked
package dev.fairlead.adapter.local.pool.dataset;

import org.jspecify.annotations.NullMarked;
