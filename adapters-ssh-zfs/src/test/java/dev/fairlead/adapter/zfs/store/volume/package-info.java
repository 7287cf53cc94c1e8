@NullMarked
package dev.fairlead.adapter.zfs.store.volume;

import org.jspecify.annotations.NullMarked;
