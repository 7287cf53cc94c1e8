/** Reads from sysfs what block devices are made of and who uses them, whatever attached them. */
@NullMarked
package dev.fairlead.adapter.node.block;

import org.jspecify.annotations.NullMarked;
