@NullMarked
package dev.fairlead.adapter.zfs.cli;

import org.jspecify.annotations.NullMarked;
