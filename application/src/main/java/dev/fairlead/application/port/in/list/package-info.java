/** Lists, and a page of one. */
@NullMarked
package dev.fairlead.application.port.in.list;

import org.jspecify.annotations.NullMarked;
