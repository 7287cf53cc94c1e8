/** What is handed down with a piece of work: its deadline, progress, request id and effects. */
@NullMarked
package dev.fairlead.application.port.work;

import org.jspecify.annotations.NullMarked;
