/** Describes what a node needs to reach a volume, and how a volume_context says it. */
@NullMarked
package dev.fairlead.domain.attachment;

import org.jspecify.annotations.NullMarked;
