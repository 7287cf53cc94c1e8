/** One call: its locks, its work, what metrics hear of it, and the code that a failure is answered with. */
@NullMarked
package dev.fairlead.application.service.call;

import org.jspecify.annotations.NullMarked;
