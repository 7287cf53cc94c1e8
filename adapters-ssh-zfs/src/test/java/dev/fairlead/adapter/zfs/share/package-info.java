@NullMarked
package dev.fairlead.adapter.zfs.share;

import org.jspecify.annotations.NullMarked;
