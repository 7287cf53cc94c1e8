/** Names loop devices and their files, as the kernel has them. */
@NullMarked
package dev.fairlead.linux.loop;

import org.jspecify.annotations.NullMarked;
