@NullMarked
package dev.fairlead.adapter.zfs.asset;

import org.jspecify.annotations.NullMarked;
