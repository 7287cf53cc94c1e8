/** Lists of several connections, one page after the other. */
@NullMarked
package dev.fairlead.application.service.list;

import org.jspecify.annotations.NullMarked;
