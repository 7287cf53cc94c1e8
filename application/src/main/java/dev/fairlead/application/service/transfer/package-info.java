/** Content that is carried over from another connection, as a stream through this process. */
@NullMarked
package dev.fairlead.application.service.transfer;

import org.jspecify.annotations.NullMarked;
