@NullMarked
package dev.fairlead.adapter.zfs.dataset;

import org.jspecify.annotations.NullMarked;
