@NullMarked
package dev.fairlead.adapter.zfs;

import org.jspecify.annotations.NullMarked;
