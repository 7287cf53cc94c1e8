@NullMarked
package dev.fairlead.adapter.zfs.property;

import org.jspecify.annotations.NullMarked;
