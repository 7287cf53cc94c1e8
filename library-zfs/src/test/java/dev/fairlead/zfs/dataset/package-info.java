@NullMarked
package dev.fairlead.zfs.dataset;

import org.jspecify.annotations.NullMarked;
