@NullMarked
package dev.fairlead.adapter.zfs.host;

import org.jspecify.annotations.NullMarked;
