/** What the process tells of its health and its counts, by HTTP. */
@NullMarked
package dev.fairlead.bootstrap.monitor;

import org.jspecify.annotations.NullMarked;
