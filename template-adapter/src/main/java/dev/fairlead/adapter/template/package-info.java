/** Keeps volumes in the sub-folders of one folder: the smallest whole adapter, for copying. */
@NullMarked
package dev.fairlead.adapter.template;

import org.jspecify.annotations.NullMarked;
