/** The deadline, progress, request id and effects that are passed along with a call. */
@NullMarked
package dev.fairlead.application.port.work;

import org.jspecify.annotations.NullMarked;
