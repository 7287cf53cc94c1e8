/** What a node needs to reach a volume, and its form in a volume_context. */
@NullMarked
package dev.fairlead.domain.attachment;

import org.jspecify.annotations.NullMarked;
