@NullMarked
package dev.fairlead.zfs.snapshot;

import org.jspecify.annotations.NullMarked;
