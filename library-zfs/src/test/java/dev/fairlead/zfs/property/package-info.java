@NullMarked
package dev.fairlead.zfs.property;

import org.jspecify.annotations.NullMarked;
