@NullMarked
package dev.fairlead.adapter.zfs.lio;

import org.jspecify.annotations.NullMarked;
