/** The calls on a volume that exists: delete, expand, get, modify, validate; and the room for more. */
@NullMarked
package dev.fairlead.application.service.volume;

import org.jspecify.annotations.NullMarked;
